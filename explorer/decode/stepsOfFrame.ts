/** One step of the EVM, as debug_traceTransaction returns it. */
export interface Step {
  readonly pc: number
  readonly op: string
  readonly gas: number
  readonly gasCost: number
  readonly depth: number
  readonly stack?: readonly string[] | null
  readonly memory?: readonly string[] | null
  readonly storage?: Readonly<Record<string, string>> | null
  readonly reason?: string | null
}

const calling = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2'])

/** Steps of one frame, named by its place in the call tree; calls to accounts without code have none. */
export function stepsOfFrame(steps: readonly Step[], path: readonly number[]): readonly Step[] {
  const wanted = path.join('.')
  const frames: { readonly name: string; calls: number }[] = []
  const found: Step[] = []
  for (const step of steps) {
    while (frames.length > step.depth) frames.pop()
    while (frames.length < step.depth) {
      const parent = frames.at(-1)
      frames.push({
        name: parent ? [parent.name, parent.calls - 1].filter((part) => part !== '').join('.') : '',
        calls: 0,
      })
    }
    const frame = frames.at(-1)!
    if (calling.has(step.op)) frame.calls++
    if (frame.name === wanted) found.push(step)
  }
  return found
}
