/**
 * What a step is, in a buffer that the interpreter and we both see: numbers as 64-bit floats, then the words of the stack,
 * bottom first, little-endian. To hand each of them over by a call would take most of the time of a trace.
 */
export const windowLayout = {
  pc: 0,
  gas: 8,
  cost: 16,
  depth: 24,
  refund: 32,
  memorySize: 40,
  op: 48,
  stackHeight: 56,
  stack: 64,
  bytes: 64 + 1024 * 32,
}
