export interface QuoinStep {
  readonly pc: number
  readonly op: string
  readonly gas: number
  readonly gasCost: number
  readonly depth: number
  readonly stack: readonly string[] | null
  readonly memory: readonly string[] | null
  readonly error?: readonly string[]
}

export interface QuoinTrace {
  readonly gas: number
  readonly failed: boolean
  readonly structLogs: readonly QuoinStep[]
}

export interface GethStep {
  readonly pc: number
  readonly op: string
  readonly gas: number
  readonly gasCost: number
  readonly depth: number
  readonly stack: readonly string[]
  readonly memory?: readonly string[]
  readonly error?: string
}

export interface GethTrace {
  readonly gas: number
  readonly failed: boolean
  readonly structLogs: readonly GethStep[]
}

/** Opcodes whose cost geth tells with the gas that they pass on. */
const passing = /^(CALL|CALLCODE|DELEGATECALL|STATICCALL|CREATE|CREATE2)$/

function nameOf(op: string): string {
  if (/not defined/.test(op)) return 'INVALID'
  return op === 'DIFFICULTY' ? 'PREVRANDAO' : op
}

const number = (word: string) => BigInt(word.startsWith('0x') ? word : `0x${word}`).toString(16)

function isSame(a: QuoinStep, b: GethStep): boolean {
  return a.pc === b.pc && a.depth === b.depth && nameOf(a.op) === nameOf(b.op)
}

/** Besu shows accounts without code, and precompiled contracts, as steps; geth does not. */
function isOnlyOurs(step: QuoinStep, other: GethStep | undefined): boolean {
  if (step.op === '') return true
  return step.op === 'STOP' && step.pc === 0 && (!other || !isSame(step, other))
}

function compareStep(ours: QuoinStep, theirs: GethStep): string | undefined {
  if (!isSame(ours, theirs))
    return `${ours.depth}:${ours.pc} ${ours.op}, geth ${theirs.depth}:${theirs.pc} ${theirs.op}`
  if (ours.gas !== theirs.gas) return `gas ${ours.gas}, geth ${theirs.gas}`
  const [a, b] = [(ours.stack ?? []).map(number).join(), theirs.stack.map(number).join()]
  if (a !== b) return `stack ${a}, geth ${b}`
  const costsTold = !passing.test(ours.op) && !ours.error && !theirs.error
  if (costsTold && ours.gasCost !== theirs.gasCost) return `cost ${ours.gasCost}, geth ${theirs.gasCost}`
  return undefined
}

/** Memory is told after a step, by geth before the one that follows. */
function compareMemory(ours: QuoinStep, following: GethStep | undefined): string | undefined {
  if (!following || following.depth !== ours.depth || passing.test(ours.op) || ours.error) return undefined
  const [a, b] = [(ours.memory ?? []).join(''), (following.memory ?? []).map((word) => word.replace('0x', '')).join('')]
  return a === b ? undefined : `memory ${a}, geth ${b}`
}

/** The first difference between the steps of a transaction; undefined when there is none that the formats do not explain. */
export function compareSteps(ours: readonly QuoinStep[], theirs: readonly GethStep[]): string | undefined {
  let at = 0
  for (const step of ours) {
    const other = theirs[at]
    if (isOnlyOurs(step, other)) continue
    if (!other) return `${ours.length} steps, geth has ${theirs.length}`
    const found = compareStep(step, other) ?? compareMemory(step, theirs[at + 1])
    if (found !== undefined) return `step ${at}, ${step.op}: ${found}`
    at++
  }
  return at === theirs.length ? undefined : `${at} steps, geth has ${theirs.length}`
}

/** The same of whole traces. */
export function compareStructLogs(ours: QuoinTrace, theirs: GethTrace): string | undefined {
  if (ours.gas !== theirs.gas || ours.failed !== theirs.failed)
    return `gas ${ours.gas}, failed ${ours.failed}; geth ${theirs.gas}, ${theirs.failed}`
  return compareSteps(ours.structLogs, theirs.structLogs)
}
