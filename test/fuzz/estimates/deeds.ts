import { opcodes as op } from '../../../src/evm/opcodes.ts'
import { since } from '../../../src/forks/rules.ts'
import { type Code, type Deed, pushGas, require, requireOrIgnore, writeCode } from './code.ts'

type Choices = readonly (readonly [weight: number, deed: Deed])[]

/** A message without input or output; the callee is given. */
function call(code: Code, kind: number, to: bigint, value: bigint): void {
  for (let i = 0; i < 4; i++) code.asm.push(0n)
  if (kind === op.CALL || kind === op.CALLCODE) code.asm.push(value)
  code.asm.push(to)
  pushGas(code)
  code.asm.op(kind)
}

/** Ether for an account without code: the stipend comes back unused. */
const payAccount: Deed = (code) => {
  call(code, op.CALL, code.random.pick(code.payees), BigInt(code.random.between(1, 9)))
  require(code)
}

const callContract: Deed = (code) => {
  const { random, callees } = code
  if (callees.length === 0) return
  call(code, op.CALL, random.pick(callees), BigInt(random.pick([0, 0, 1])))
  requireOrIgnore(code, 85)
}

/** A proxy: the code of another contract with the storage of this one. */
const delegate: Deed = (code) => {
  const { random, rules, callees } = code
  if (callees.length === 0) return
  const kind = since(rules, 'homestead') && random.percent(80) ? op.DELEGATECALL : op.CALLCODE
  call(code, kind, random.pick(callees), 0n)
  requireOrIgnore(code, 85)
}

/** ecrecover, SHA-256, RIPEMD-160 and identity exist everywhere, and take any input. */
const callPrecompile: Deed = (code) => {
  call(code, op.CALL, BigInt(code.random.between(1, 4)), BigInt(code.random.pick([0, 0, 1])))
  requireOrIgnore(code, 70)
}

const store: Deed = ({ random, asm }) => {
  asm.push(BigInt(random.pick([0, 0, 1, 2])))
  asm.push(BigInt(random.below(4)))
  asm.op(op.SSTORE)
}

const log: Deed = ({ random, asm }) => {
  asm.push(BigInt(random.below(200)))
  asm.push(0n)
  asm.op(op.LOG0)
}

const create: Deed = (code) => {
  const { random, asm } = code
  const init = writeCode({ ...code, callees: [] }, random.percent(50) ? [store] : [], (inner) => {
    inner.asm.push(BigInt(random.below(100)))
    inner.asm.push(0n)
    inner.asm.op(op.RETURN)
  })
  asm.push(BigInt(init.length))
  asm.pushLabel(asm.data(init))
  asm.push(0n)
  asm.op(op.CODECOPY)
  asm.push(BigInt(init.length))
  asm.push(0n)
  asm.push(BigInt(random.pick([0, 0, 1])))
  asm.op(op.CREATE)
  requireOrIgnore(code, 90)
}

/** Pushes whether more gas is left than an amount. */
function pushHasGas({ random, asm }: Code, max: number): void {
  asm.push(BigInt(random.between(100, random.pick([10_000, 100_000, max]))))
  asm.op(op.GAS, op.GT)
}

/** Refuses to go on with little gas, as relays of transactions do. */
const requireGas: Deed = (code) => {
  pushHasGas(code, 2_000_000)
  require(code)
}

/** Goes on with little gas and with much, but not with amounts in between: limits that work are followed by some that fail. */
const refuseBetween: Deed = (code) => {
  const { asm, random } = code
  const after = { position: undefined }
  const max = random.between(1000, 6000)
  asm.push(BigInt(max))
  asm.op(op.GAS, op.GT, op.ISZERO)
  asm.pushLabel(after)
  asm.op(op.JUMPI)
  asm.push(BigInt(max + random.between(100, 4000)))
  asm.op(op.GAS, op.GT)
  require(code)
  asm.place(after)
}

/** Does something only if much gas is left. */
const branchOnGas: Deed = (code) => {
  const { asm, random } = code
  const after = { position: undefined }
  pushHasGas(code, 1_000_000)
  asm.op(op.ISZERO)
  asm.pushLabel(after)
  asm.op(op.JUMPI)
  random.weighted(plainDeeds)(code)
  asm.place(after)
}

/** Uses up gas until only so much is left. */
const burnGas: Deed = (code) => {
  const { asm, random } = code
  const [start, after] = [{ position: undefined }, { position: undefined }]
  const left = BigInt(random.between(300_000, 600_000))
  asm.place(start)
  asm.push(left)
  asm.op(op.GAS, op.GT, op.ISZERO)
  asm.pushLabel(after)
  asm.op(op.JUMPI)
  asm.push(16_384n)
  asm.push(0n)
  asm.op(op.LOG0)
  asm.pushLabel(start)
  asm.op(op.JUMP)
  asm.place(after)
}

const plainDeeds: Choices = [
  [20, payAccount],
  [12, callPrecompile],
  [25, store],
  [8, log],
  [10, create],
]

const allDeeds: Choices = [
  ...plainDeeds,
  [25, callContract],
  [15, delegate],
  [6, requireGas],
  [8, refuseBetween],
  [6, branchOnGas],
  [1, burnGas],
]

/** What a contract does: some things at random. */
export function someDeeds(random: Code['random'], max: number): Deed[] {
  return Array.from({ length: random.between(0, max) }, () => random.weighted(allDeeds))
}
