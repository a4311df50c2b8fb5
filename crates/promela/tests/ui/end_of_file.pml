byte x;
init { if :: x -> { do :: skip