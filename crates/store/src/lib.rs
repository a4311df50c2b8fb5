//! Visited-state stores: bytes in, new-or-known out.
