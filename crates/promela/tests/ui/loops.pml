byte i; init { for (i = 1; i < 3; i++) { skip } for (i : 1 to 3) { skip }; select (i : 3 .. 1); select (i) }
