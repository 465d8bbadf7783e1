"""A synthetic table of 8,000 citizens and their taxes. Nobody in it is real.

The paper's own table of this name is private. This one only has its shape: as many records, as
many features, of mixed kinds, and a share of fraud that a few combinations of features explain.

``FEATURES`` says how each column is drawn, from top to bottom; a column may look back at those
above it. ``SCENARIOS`` says who counts as a fraud, before some noise is added.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from diva_kinds import Amount, Choice, Count, Draw, Formula, Kind, Real, Whole, YesNo

CITIZENS = 8_000
SEED = 2021
NOISE = 0.055

EMPLOYEE = "employment_status == 'employee'"
OWNER = "business_owner == 'yes'"
RETIRED = "employment_status == 'retired'"

PERSON: dict[str, Kind] = {
    "age": Whole(20, 46, 89),
    "sex": Choice({"Female": 0.51, "Male": 0.49}),
    "marital_status": Choice({"married": 0.49, "single": 0.33, "divorced": 0.1, "widowed": 0.08}),
    "citizenship": Choice({"national": 0.89, "EU": 0.05, "other": 0.06}),
    "region": Choice({"north": 0.45, "centre": 0.2, "south": 0.24, "islands": 0.11}),
    "education": Choice({"primary": 0.12, "secondary": 0.63, "degree": 0.25}),
    "adults_at_home": Count(0.9, least=1),
    "children_at_home": Count(0.6),
    "employment_status": Choice(
        {"employee": 0.64, "self-employed": 0.22, "not working": 0.14}, ("age >= 67", "retired")
    ),
    "work_sector": Choice(
        {"services": 0.4, "trade": 0.2, "industry": 0.2, "public": 0.13, "farming": 0.07}
    ),
    "years_in_job": Count(8, among=EMPLOYEE),
}

BUSINESS: dict[str, Kind] = {
    "business_owner": YesNo(0.32, among="employment_status != 'retired'"),
    "turnover": Amount(60_000, 0.95, OWNER, step=1_000),
    "business_costs": Amount(35_000, 0.95, OWNER, step=1_000),
    "profit_margin": Real(12, 9, OWNER),
    "cash_sales_share": Whole(0, 30, 100, OWNER),
    "invoices_issued": Count(40, OWNER, share=0.9),
    "staff": Count(1.2, OWNER, pull=0.5),
    "vat_paid": Amount(5_000, 0.92, OWNER, spread=0.7),
    "vat_credit": Amount(1_500, 0.3, OWNER),
    "online_sales": YesNo(0.35, OWNER),
    "losses_carried": Amount(6_000, 0.15, OWNER),
}

PROPERTY: dict[str, Kind] = {
    "properties_owned": Count(1.1, pull=0.4),
    "property_value": Amount(150_000, 1, "properties_owned > 0", pull=0.5, step=5_000),
    "cadastral_value": Formula("0.55 * property_value", spread=0.2, step=1_000),
    "property_tax_paid": Formula("0.004 * property_value", spread=0.3, step=50),
    "home_tenure": Choice(
        {"owned": 0.85, "rented": 0.1, "with family": 0.05}, ("properties_owned == 0", "rented")
    ),
    "home_size": Whole(35, 85, 220, unknown=0.04),
    "land_hectares": Amount(1.5, 0.12, spread=0.9, step=0.1),
    "homes_bought": Count(0.06, pull=0.4),
    "homes_sold": Count(0.05),
    "short_lets": YesNo(0.2, "properties_owned > 1"),
    "renovation_costs": Amount(8_000, 0.12, step=500),
}

INCOME: dict[str, Kind] = {
    "employment_income": Amount(25_000, 0.98, EMPLOYEE, pull=0.3, spread=0.35),
    "self_employment_income": Amount(
        21_000, 0.95, "employment_status == 'self-employed'", spread=0.6
    ),
    "pension_income": Amount(17_000, 0.95, RETIRED, pull=0.3, spread=0.3),
    "rental_income": Amount(6_000, 0.25, "properties_owned > 0"),
    "dividend_income": Amount(900, 0.15, pull=0.8),
    "interest_income": Amount(150, 0.4, pull=0.8, step=10),
    "capital_gains": Amount(2_000, 0.08, pull=0.8),
    "benefits_received": Amount(2_400, 0.3, pull=-0.3),
    "declared_income": Formula(
        "2000 + employment_income + self_employment_income + pension_income + rental_income"
        " + dividend_income + benefits_received",
        spread=0.1,
    ),
    "income_growth": Real(1.5, 6),
    "months_worked": Whole(0, 12, 13, among="employment_status in ['employee', 'self-employed']"),
}

TAX_RETURN: dict[str, Kind] = {
    "income_tax_paid": Formula("0.21 * declared_income", spread=0.2),
    "local_tax_paid": Formula("0.02 * declared_income", spread=0.2, step=10),
    "tax_withheld": Formula("0.17 * employment_income + 0.15 * pension_income", spread=0.15),
    "tax_refund": Amount(600, 0.35, step=50),
    "deductions_claimed": Amount(3_200, 0.85, spread=0.7),
    "medical_deductions": Amount(500, 0.5, step=50),
    "donation_deductions": Amount(120, 0.2, step=10),
    "tax_credits": Amount(900, 0.4, pull=-0.2, step=50),
    "filing_channel": Choice({"online": 0.68, "office": 0.22, "paper": 0.1}),
    "adviser_used": YesNo(0.45),
    "return_amended": YesNo(0.07),
}

ASSETS: dict[str, Kind] = {
    "bank_balance": Amount(9_000, 0.97, pull=0.7, spread=0.8),
    "savings_deposits": Amount(15_000, 0.4, pull=0.7, step=500),
    "securities_value": Amount(20_000, 0.25, pull=0.9, step=500),
    "pension_fund": Amount(12_000, 0.3, step=500),
    "vehicles_owned": Count(1.0, pull=0.2),
    "vehicle_value": Amount(8_000, 1, "vehicles_owned > 0", step=500),
    "boat_owned": YesNo(0.03),
    "foreign_account": YesNo(0.14),
    "foreign_transfers": Amount(6_000, 0.75, "foreign_account == 'yes'", spread=1.0, step=500),
    "card_spending": Amount(13_000, 0.97, pull=0.3, spread=0.55),
    "cash_withdrawals": Amount(4_000, 0.95, pull=0.2, spread=0.6),
}

DEBTS: dict[str, Kind] = {
    "mortgage_balance": Amount(70_000, 0.35, "properties_owned > 0", step=1_000),
    "consumer_loans": Amount(5_000, 0.3, pull=-0.1, step=500),
    "debt": Formula("mortgage_balance + consumer_loans", spread=0.05, step=500),
    "loan_payments": Formula("0.08 * debt", spread=0.3),
    "loan_rate": Real(4.2, 0.9, "debt > 0"),
    "missed_payments": Count(0.5, "debt > 0"),
    "credit_cards": Count(1.4, pull=0.2),
    "credit_score": Whole(400, 690, 850, unknown=0.06),
    "guarantor": YesNo(0.06),
    "insurance_premiums": Amount(700, 0.8, step=50),
    "energy_bills": Amount(1_600, pull=0.2, spread=0.3, step=50),
}

TAX_OFFICE: dict[str, Kind] = {
    "years_filing": Formula("0.8 * (age - 18)", spread=0.05, step=1),
    "past_audits": Count(0.35),
    "past_penalties": Count(0.45),
    "penalty_amount": Amount(800, 0.95, "past_penalties > 0", step=50),
    "late_filings": Count(0.7),
    "reminders_sent": Count(0.9),
    "disputes_opened": Count(0.08),
    "tax_debt": Amount(1_800, 0.14),
    "payment_plan": YesNo(0.5, "tax_debt > 0"),
    "address_changes": Count(0.6),
    "amnesty_used": YesNo(0.05),
}

FEATURES: dict[str, Kind] = (
    PERSON | BUSINESS | PROPERTY | INCOME | TAX_RETURN | ASSETS | DEBTS | TAX_OFFICE
)

SCENARIOS = {
    "spends more than was declared": "declared_income < 18000 and card_spending >= 22000",
    "cash trade with little VAT": "cash_sales_share >= 55 and vat_paid < 5000",
    "several homes, no rent": "properties_owned >= 3 and rental_income == 0"
    " and property_value >= 220000",
    "money abroad, low income": "foreign_transfers >= 4000 and declared_income < 30000",
    "large claims after a penalty": "deductions_claimed >= 5000 and past_penalties >= 1"
    " and adviser_used == 'no'",
}


def make_diva(citizens: int = CITIZENS, seed: int = SEED) -> pd.DataFrame:
    """Draw the whole table, the label last.

    Parameters
    ----------
    citizens : int
        Number of records.
    seed : int
        The same seed gives the same table.

    Returns
    -------
    DataFrame
        The 88 features and ``fraud``.
    """
    rng = np.random.RandomState(seed)
    wealth = rng.standard_normal(citizens)
    table = pd.DataFrame(index=range(citizens))
    for name, kind in FEATURES.items():
        table[name] = kind.draw(Draw(rng, wealth, table))
    return table.assign(fraud=label_fraud(table, rng))


def label_fraud(table: pd.DataFrame, rng: np.random.RandomState) -> np.ndarray:
    """Say yes where any scenario holds, then turn a small share of the labels around."""
    any_scenario = " or ".join(f"({scenario})" for scenario in SCENARIOS.values())
    suspicious = pd.Series(table.eval(any_scenario)).to_numpy(dtype=bool)
    turned = rng.random_sample(len(table)) < NOISE
    return np.where(suspicious ^ turned, "yes", "no")
