byte x;
init { do :: x++ od
 unless { x == 3 } ; skip unless }
