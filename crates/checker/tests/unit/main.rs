//! Tests of single modules of the library. They stand outside of it, so that its searches are
//! compiled only once.

mod clusters;
mod components;
mod confirm;
mod declared;
mod partial;
mod property;
mod units;
mod unreached;
