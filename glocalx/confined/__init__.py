"""The one door for a stranger's bytes: they are read in a child process behind a fence.

`handed_file` is the server's side: a file is handed over, a child holds it and answers questions
about it. `fork_server` keeps a process warm that has the libraries imported and forks a child for
each file. `child` is what runs there. `fence` takes away what a child needs not: files, writing,
the network, other processes (`landlock`, `syscall_filter`). `wire` is what the two sides speak.
"""
