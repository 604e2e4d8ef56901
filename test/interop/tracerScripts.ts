import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** A tracer in JavaScript. */
export interface TracerScript {
  readonly name: string
  readonly code: string
  readonly config?: object
}

/** Tells of each step, frame and fault all that a tracer is told. */
const everything = `{
  seen: [],
  step(log, db) {
    const op = log.op.toString(), height = log.stack.length(), self = log.contract.getAddress()
    this.seen.push([
      log.getPC(), op, log.op.toNumber(), log.op.isPush(), log.getGas(), log.getCost(), log.getDepth(), log.getRefund(),
      log.getError(), height, height > 0 ? log.stack.peek(0).toString(16) : '', height > 2 ? log.stack.peek(2).toString() : '',
      log.memory.length(), toHex(log.memory.slice(0, Math.min(log.memory.length(), 256))),
      toHex(log.contract.getCaller()), toHex(self), log.contract.getValue().toString(), toHex(log.contract.getInput()),
      db.getBalance(self).toString(), db.getNonce(self), db.exists(self),
      toHex(db.getState(self, toWord('0'))), height > 0 && op === 'SSTORE' ? toHex(db.getState(self, toWord(log.stack.peek(0).toString(16)))) : '',
    ])
  },
  fault(log, db) { this.seen.push(['fault', log.getError(), log.getPC(), log.op.toString(), log.getDepth(), log.getGas(), log.getCost()]) },
  enter(frame) {
    const value = frame.getValue()
    this.seen.push(['enter', frame.getType(), toHex(frame.getFrom()), toHex(frame.getTo()), toHex(frame.getInput()), frame.getGas(),
      value === undefined ? 'none' : value.toString()])
  },
  exit(frame) { this.seen.push(['exit', frame.getGasUsed(), toHex(frame.getOutput()), frame.getError()]) },
  result(ctx, db) {
    return {
      seen: this.seen, type: ctx.type, from: toHex(ctx.from), to: toHex(ctx.to), input: toHex(ctx.input), gas: ctx.gas, gasUsed: ctx.gasUsed,
      gasPrice: ctx.gasPrice.toString(), value: ctx.value.toString(), output: toHex(ctx.output), error: ctx.error, block: ctx.block,
      time: ctx.time, intrinsicGas: ctx.intrinsicGas, blockHash: toHex(ctx.blockHash), txHash: toHex(ctx.txHash), txIndex: ctx.txIndex,
      balance: db.getBalance(ctx.from).toString(), nonce: db.getNonce(ctx.from), code: toHex(db.getCode(ctx.to)), exists: db.exists(ctx.to),
    }
  },
}`

/** Helpers, and numbers without a bound. */
const helpers = `{
  step(log, db) {},
  fault(log, db) {},
  setup(config) { this.config = JSON.parse(config) },
  result(ctx, db) {
    const big = bigInt('123456789012345678901234567890'), bytes = toWord('0xabcdef')
    return {
      config: this.config, word: toHex(bytes), address: toHex(toAddress('ff'.repeat(25) + '1')), slice: toHex(slice(bytes, 28, 31)),
      list: toHex([1, 2, 255]), odd: toHex(toWord('abc')), half: toHex(toWord('12zz34')),
      contracts: [0, 1, 127, 128, 255, 256, 65536].map((nonce) => toHex(toContract(ctx.from, nonce))),
      contract2: toHex(toContract2(ctx.from, '0x1234', '0x6001')), contract2b: toHex(toContract2(toHex(ctx.from), 'ff', bytes)),
      precompiled: ['1', '9', 'a', 'b', 'ff'].map((address) => isPrecompiled(toAddress(address))),
      numbers: [
        big.add(1).toString(), big.minus('5').toString(16), big.times(big).toString(), big.divide(7).toString(), big.mod(1000).toString(),
        big.negate().toString(), big.shiftRight(12).toString(), big.shiftLeft(3).toString(), big.and(0xffff).toString(), big.or(1).toString(),
        big.xor(3).toString(), big.not().toString(), big.pow(3).toString(), big.compare(3), big.equals(big), big.gt(4), big.lesser(4),
        big.isEven(), big.isZero(), bigInt('ff', 16).toString(), bigInt('-1e3').toString(), bigInt().toString(), bigInt(5).valueOf(),
        big.valueOf(), bigInt(10).toJSNumber(), bigInt.max(4, 9).toString(), bigInt.gcd(12, 18).toString(), bigInt(7).modPow(5, 13).toString(),
        bigInt(-7).mod(3).toString(), bigInt(-7).divide(2).toString(), bigInt(-9).shiftRight(1).toString(), big + 1, big > 5,
      ],
      big, small: bigInt(17), bytes,
    }
  },
}`

const returning = (text: string) => `{ step() {}, fault() {}, result(ctx, db) { return ${text} } }`

const own: readonly TracerScript[] = [
  { name: 'everything', code: everything },
  { name: 'helpers', code: helpers, config: { a: [1, 'x'] } },
  {
    name: 'frames only',
    code: everything.replace(/step\(log, db\) \{[\s\S]*?\n {2}\},\n/, '').replace(/, log\.getPC\(\)[^\]]*/, ''),
  },
  { name: 'a number', code: returning('1.5') },
  { name: 'a text', code: returning('"<a>&\\n"') },
  { name: 'true', code: returning('true') },
  { name: 'null', code: returning('null') },
  { name: 'nothing', code: returning('undefined') },
  { name: 'a list', code: returning('[undefined, null, function () {}, { toJSON() { return 3 } }]') },
]

/** Folder of the tracers that come with geth: present where it was compiled. */
const gethFolder = join(
  process.env['GOPATH'] ?? join(homedir(), 'go'),
  'pkg/mod/github.com/ethereum/go-ethereum@v1.13.15/eth/tracers/js/internal/tracers',
)

/** Tracers of our own, and those that come with geth where its source is. */
export function tracerScripts(): readonly TracerScript[] {
  if (!existsSync(gethFolder)) return own
  const files = readdirSync(gethFolder).filter((name) => name.endsWith('.js'))
  return [...own, ...files.map((name) => ({ name, code: objectIn(readFileSync(join(gethFolder, name), 'utf8')) }))]
}

/** The text without the comment that it begins with. */
const objectIn = (text: string) => text.slice(text.search(/^\{/m))

/** Tracers that fail, and what both have to say of them. */
export const failingScripts: readonly (TracerScript & { readonly says: RegExp })[] = [
  { name: 'no result', code: '{ fault() {} }', says: /must expose a function result/ },
  { name: 'no fault', code: '{ result() {} }', says: /must expose a function fault/ },
  {
    name: 'half of frames',
    code: '{ result() {}, fault() {}, enter() {} }',
    says: /either both or none of enter\(\) and exit\(\)/,
  },
  { name: 'no JavaScript', code: '{ result() {', says: /SyntaxError/ },
  {
    name: 'throws',
    code: '{ fault() {}, result() { throw new TypeError("oops") } }',
    says: /TypeError: oops.*server-side tracer function 'result'/,
  },
  {
    name: 'throws a text',
    code: '{ fault() {}, result() { throw "oops" } }',
    says: /oops.*server-side tracer function 'result'/,
  },
  { name: 'wrong bytes', code: '{ fault() {}, result() { return toHex(5) } }', says: /invalid buffer type.*'result'/ },
  {
    name: 'wrong bytes, caught',
    code: '{ fault() {}, result() { try { toHex(5) } catch (error) {} return 1 } }',
    says: /invalid buffer type.*'result'/,
  },
  { name: 'loops', code: '{ fault() {}, result() { for (;;) {} } }', says: /execution timeout.*'result'/ },
]
