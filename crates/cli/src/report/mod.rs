//! Reports on the screen and as JSON.

pub mod human;
pub mod json;
