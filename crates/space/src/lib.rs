//! The narrow interface between a model and a search.
