"""Teaching material: small scenes on which the real algorithm is watched and checked by hand."""
