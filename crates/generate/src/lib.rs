//! Random Promela models for differential tests.
