chan c = [1] of { byte };
active proctype P() { chan d; c!1; c!1,2; d!1,2,3; unknown!1,2,3 }
