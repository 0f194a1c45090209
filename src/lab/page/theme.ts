/**
 * Colours. Those of models are Okabe and Ito's, which colour-blind people tell apart, the pale ones darkened on white.
 * Dark is for screens only, so paper is always white.
 */
export const THEME = `
:root { color-scheme: light dark;
  --paper: #fffefb; --ink: #1b1d21; --soft: #575c64; --hair: #e6e3dc; --axis: #8f9299; --zero: #b9bbbf; --flag: #c4122f;
  --s0: #0072b2; --s1: #d55e00; --s2: #009e73; --s3: #b75d91; --s4: #a87400; --s5: #1b1d21; }
@media screen and (prefers-color-scheme: dark) { :root {
  --paper: #15171a; --ink: #e9e7e2; --soft: #a4a8af; --hair: #2b2e33; --axis: #767b83; --zero: #5d626a; --flag: #ff5a6e;
  --s0: #56b4e9; --s1: #e69f00; --s2: #22bb90; --s3: #e09cc4; --s4: #f0e442; --s5: #e9e7e2; } }
@media print { :root { --paper: #fff; color-scheme: light; } }
.s0 { --c: var(--s0) } .s1 { --c: var(--s1) } .s2 { --c: var(--s2) } .s3 { --c: var(--s3) } .s4 { --c: var(--s4) } .s5 { --c: var(--s5) }
`;
