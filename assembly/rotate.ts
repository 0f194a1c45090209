/**
 * Left by `by`, known when the module is compiled, 1 to 31. Spelled as shifts for the first identifier of a process: V8's baseline compiler calls a C function for each `rotl`, which makes
 * its code 13 times slower than the optimised; without such calls it takes not quite twice as long. The optimising compilers of V8 and JavaScriptCore make one instruction of either spelling. SpiderMonkey's
 * does not: there one warm chain takes 1.27 times as long as with `rotl`.
 */
// @ts-ignore: decorator
@inline
export function rotateLeft(x: u32, by: u32): u32 {
  return (x << by) | (x >>> (32 - by));
}
