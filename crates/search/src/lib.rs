//! Search algorithms over a next-state function, one file each.
