import { expect, test } from 'vitest'
import { loadScriptEngine, maxScriptMegabytes, type ScriptHost } from './scriptEngine.ts'
import { windowLayout } from './windowLayout.ts'

const nothing = new Uint8Array(0)
const host: ScriptHost = {
  opNames: () => JSON.stringify(Array.from({ length: 256 }, (_, op) => `OP${op}`)),
  memory: (begin, end) => new Uint8Array((end as number) - (begin as number)).fill(7),
  contract: () => new Uint8Array(20).fill(1),
  contractValue: () => '0',
  frame: () => nothing,
  balance: () => '123456789012345678901234567890',
  nonce: () => 3,
  code: () => nothing,
  state: () => new Uint8Array(32),
  exists: () => true,
  keccak: () => new Uint8Array(32),
  isPrecompiled: () => false,
}

const context = JSON.stringify({
  bytes: { from: `0x${'ab'.repeat(20)}` },
  words: { value: '5' },
  numbers: { gas: 21_000 },
})

async function open(code: string, milliseconds = 2000, config = '{}') {
  const end = performance.now() + milliseconds
  const engine = await loadScriptEngine()
  return engine.open({ code, config, host, isOver: () => performance.now() >= end })
}

async function resultOf(code: string, milliseconds?: number): Promise<unknown> {
  const script = await open(code, milliseconds)
  try {
    return JSON.parse(script.call('result', context)!)
  } finally {
    script.close()
  }
}

const returning = (text: string) => `{ fault() {}, result(ctx, db) { ${text} } }`

test('a step is read from the buffer that both see', async () => {
  const script = await open(
    `{
      seen: [],
      step(log, db) {
        this.seen.push(log.getPC(), log.op.toString(), log.op.isPush(), log.stack.length(), log.stack.peek(1).toString(16), log.getError(),
          toHex(log.memory.slice(0, 2)), log.memory.length(), db.getBalance(log.contract.getAddress()).toString())
      },
      fault() {},
      result() { return this.seen },
    }`,
  )
  expect([script.hasStep, script.hasFrames]).toEqual([true, false])
  for (const pc of [5, 6]) {
    const shared = script.shared()
    shared.writeDoubleLE(pc, windowLayout.pc)
    shared.writeDoubleLE(0x60, windowLayout.op)
    shared.writeDoubleLE(2, windowLayout.stackHeight)
    shared.writeDoubleLE(64, windowLayout.memorySize)
    shared.set([0xef, 0xbe, ...Array(29).fill(0), 0x80], windowLayout.stack)
    script.call('step')
  }
  const one = (pc: number) => [
    ...[pc, 'OP96', true, 2, `80${'00'.repeat(29)}beef`, null, '0x0707', 64, '123456789012345678901234567890'],
  ]
  expect(JSON.parse(script.call('result', context)!)).toEqual([...one(5), ...one(6)])
  script.close()
})

test('numbers are those of BigInteger.js', async () => {
  const big = 123456789012345678901234567890n
  expect(
    await resultOf(
      returning(`const big = bigInt('123456789012345678901234567890')
        return [big.plus(1), big.times(2).toString(16), bigInt('ff', 16).valueOf(), bigInt('-1e3'), big > 5, big.divmod(7).remainder,
          bigInt(-7).mod(3), bigInt(1).shiftLeft(70), big.compare(big), bigInt.max(3, 9), bigInt(7).modPow(5, 13), bigInt('0x10') + 0,
          bigInt(97).isPrime(), bigInt(255).toArray(16).value, ctx.value]`),
    ),
  ).toEqual([
    ...['123456789012345678901234567891', (2n * big).toString(16), 255, '-1000', true, String(big % 7n), '-1'],
    ...[(1n << 70n).toString(), 0, '9', '11', 16, true, [15, 15], '5'],
  ])
})

test.each([
  ['{ fault() {} }', /must expose a function result/],
  ['{ result() {', /SyntaxError/],
  ['5', /must expose a function result/],
  ['null', /must expose/],
  [returning('throw new TypeError("oops")'), /^TypeError: oops {4}in server-side tracer function 'result'$/],
  [returning('throw "oops"'), /^oops {4}in server-side/],
  [returning('throw { a: 1 }'), /^\{"a":1\} {4}in server-side/],
  [returning('try { toHex(5) } catch {} return 1'), /^invalid buffer type/],
  [returning('return ctx.from.nothing.at.all'), /TypeError/],
  [returning('const f = () => f() + 1; return f()'), /stack overflow/],
  [returning('let a = []; for (let i = 0; i < 100000; i++) a = [a]; return a'), /stack overflow/],
  [
    returning('const a = []; for (;;) a.push(new Uint8Array(1e6))'),
    new RegExp(`out of memory: a tracer has ${maxScriptMegabytes} MB`),
  ],
  [returning('return fetch("http://127.0.0.1")'), /ReferenceError/],
  [returning('return process.env'), /ReferenceError/],
  [returning('return require("fs")'), /ReferenceError/],
])('%s is a failure in clear words', async (code, words) => {
  await expect(resultOf(code, 20_000)).rejects.toThrow(words)
  // The next one is not disturbed.
  expect(await resultOf(returning('return 1 + 1'))).toBe(2)
})

test.each(['for (;;) {}', 'for (;;) { try { for (;;) {} } catch {} }', 'return /^(a+)+$/.test("a".repeat(40) + "b")'])(
  '%s is interrupted',
  async (text) => {
    await expect(resultOf(returning(text), 200)).rejects.toThrow(
      /^execution timeout {4}in server-side tracer function 'result'$/,
    )
  },
)

test('tracers see nothing of each other', async () => {
  await resultOf(
    returning('globalThis.left = 1; toHex = null; Array.prototype.push = null; JSON.stringify = () => "7"; return 1'),
  )
  expect(await resultOf(returning('return [typeof left, toHex([1]), [].push(1)]'))).toEqual(['undefined', '0x01', 1])
})

test('the configuration comes to setup', async () => {
  const script = await open(
    '{ setup(config) { this.c = JSON.parse(config) }, fault() {}, result() { return this.c } }',
    1000,
    '{"a":1}',
  )
  expect(script.call('result', context)).toBe('{"a":1}')
  script.close()
})
