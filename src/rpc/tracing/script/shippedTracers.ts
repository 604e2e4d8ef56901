/** Counts sequences of so many opcodes within a frame; where the frame changes, each of geth's begins anew in its own way. */
const sequences = (length: number, atChange: string) => `{
  counts: {},
  before: new Array(${length - 1}).fill(''),
  depth: 0,
  step(log) {
    const op = log.op.toString(), depth = log.getDepth()
    const moved = depth !== this.depth
    this.depth = depth
    ${atChange}
    const key = [...this.before, op].join('-')
    this.counts[key] = (this.counts[key] || 0) + 1
    this.before = [...this.before, op].slice(1)
  },
  fault() {},
  result() { return this.counts },
}`

/** What each opcode leaves on the stack, as far as the disassembler that reads this looks at it; the others leave nothing. */
const results = `(() => {
  const counts = {}
  const set = (first, last, of) => { for (let op = first; op <= last; op++) counts[op] = of(op) }
  for (const [first, last] of [[1, 11], [16, 26], [32, 32], [48, 54], [56, 56], [58, 59], [64, 69], [81, 81], [84, 84], [88, 90], [96, 127], [240, 242]])
    set(first, last, () => 1)
  set(128, 143, (op) => op - 126)
  set(144, 159, (op) => op - 142)
  return counts
})()`

const disassembly = `{
  frames: [{ ops: [] }],
  results: ${results},
  step(log) {
    const frame = this.frames[this.frames.length - 1], error = log.getError(), depth = log.getDepth()
    if (error) frame.error = error
    else if (depth !== this.frames.length) this.frames.length = Math.min(depth, this.frames.length)
    else {
      const last = frame.ops[frame.ops.length - 1]
      for (let i = 0; last && i < this.results[last.op]; i++) last.result.push(log.stack.peek(i).toString(16))
      frame.ops.push(this.told(log, frame))
    }
  },
  told(log, frame) {
    const word = (at) => log.stack.peek(at).valueOf()
    const bytes = (at) => log.memory.slice(word(at), word(at) + word(at + 1))
    const name = log.op.toString(), op = log.op.toNumber()
    const info = { op, depth: log.getDepth(), result: [] }
    const hasValue = name === 'CALL' || name === 'CALLCODE'
    if (hasValue || name === 'DELEGATECALL' || name === 'STATICCALL') {
      info.gas = word(0)
      info.to = log.stack.peek(1).toString(16)
      if (hasValue) info.value = log.stack.peek(2).toString()
      else info.op = name
      Object.assign(info, { input: bytes(hasValue ? 3 : 2), error: null, return: null, ops: [] })
      this.frames.push(info)
    } else if (name === 'RETURN' || name === 'REVERT') frame.return = bytes(0)
    else if (name === 'STOP' || name === 'SELFDESTRUCT') frame.return = log.memory.slice(0, 0)
    else if (name === 'JUMPDEST') info.pc = log.getPC()
    if (log.op.isPush()) info.len = op - 0x5e
    return info
  },
  fault() {},
  result() { return this.frames[0].ops },
}`

/** Tracers that geth has by name and runs as JavaScript, as do we. */
export const shippedTracers: ReadonlyMap<string, string> = new Map([
  ['opcountTracer', '{ count: 0, step() { this.count++ }, fault() {}, result() { return this.count } }'],
  ['unigramTracer', sequences(1, '')],
  ['bigramTracer', sequences(2, 'if (moved) { this.before = [op]; return }')],
  ['trigramTracer', sequences(3, "if (moved) { this.before = ['', '']; return }")],
  ['evmdisTracer', disassembly],
])
