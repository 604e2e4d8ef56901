import { bigIntSource } from './bigIntSource.ts'
import { windowLayout as at } from './windowLayout.ts'

/**
 * JavaScript that stands between us and a tracer, inside the interpreter: it makes the functions and objects that geth gives
 * its tracers, and returns what we call. It is called with `host` (what it asks us), the
 * buffer of a step, the tracer's text and its configuration.
 */
export const scriptSource = String.raw`
(function (host, shared, code, config) {
  'use strict'
  const stringify = JSON.stringify
  const view = new DataView(shared)
  const bigInt = ${bigIntSource.trim()}
  const big = bigInt.ofWord
  delete bigInt.ofWord

  /** What a tracer did that geth does not forgive, whether it catches the error or not. */
  let broken
  function refuse(message) {
    broken = broken ?? message
    throw new Error(message)
  }

  const opNames = JSON.parse(host.opNames())
  const number = (place) => view.getFloat64(place, true)
  const integer = (v) => Math.trunc(Number(v)) || 0
  const pairs = Array.from({ length: 256 }, (_, i) => (i < 16 ? '0' : '') + i.toString(16))
  function hexOf(bytes) {
    let text = '0x'
    for (let i = 0; i < bytes.length; i++) text += pairs[bytes[i]]
    return text
  }

  function ofHex(text) {
    let digits = /^0x/i.test(text) ? text.slice(2) : text
    if (digits.length % 2 === 1) digits = '0' + digits
    const end = digits.search(/[^0-9a-f]/i)
    const bytes = new Uint8Array((end < 0 ? digits.length : end) >> 1)
    for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(digits.slice(2 * i, 2 * i + 2), 16)
    return bytes
  }

  function bytesOf(v, mayBeText) {
    if (v === undefined || v === null) throw new TypeError('Cannot convert undefined or null to object')
    if (typeof v === 'string' || v instanceof String) {
      if (mayBeText) return ofHex(String(v))
    } else if (Array.isArray(v)) return Uint8Array.from(v)
    else if (v instanceof Uint8Array && v.constructor === Uint8Array) return v
    return refuse('invalid buffer type')
  }

  /** The last bytes, or all of them behind zeros. */
  function sized(bytes, length) {
    const out = new Uint8Array(length)
    const end = bytes.subarray(Math.max(0, bytes.length - length))
    out.set(end, length - end.length)
    return out
  }

  const addressOf = (v, mayBeText) => hexOf(sized(bytesOf(v, mayBeText), 20))
  const buffer = (v) => new Uint8Array(v)
  const ownBuffer = (bytes) => bytes.slice().buffer
  const keccak = (bytes) => buffer(host.keccak(ownBuffer(bytes)))

  /** The text that an address is the hash of, where a nonce decides it. */
  function nonceText(from, nonce) {
    let bytes = []
    for (let n = BigInt(nonce); n > 0n; n >>= 8n) bytes.unshift(Number(n & 255n))
    if (bytes.length !== 1 || bytes[0] > 127) bytes = [128 + bytes.length, ...bytes]
    return Uint8Array.from([192 + 21 + bytes.length, 148, ...from, ...bytes])
  }

  const helpers = {
    bigInt,
    toHex: (v) => hexOf(bytesOf(v, false)),
    toWord: (v) => sized(bytesOf(v, true), 32),
    toAddress: (v) => sized(bytesOf(v, true), 20),
    toContract: (from, nonce) => sized(keccak(nonceText(sized(bytesOf(from, true), 20), integer(nonce))), 20),
    toContract2(from, salt, code) {
      const parts = [[255], sized(bytesOf(from, true), 20), sized(ofHex(String(salt)), 32), keccak(bytesOf(code, true))]
      return sized(keccak(Uint8Array.from(parts.flatMap((part) => [...part]))), 20)
    },
    isPrecompiled: (v) => host.isPrecompiled(addressOf(v, true)),
    slice(v, start, end) {
      const bytes = bytesOf(v, false)
      const [first, last] = [integer(start), integer(end)]
      if (first < 0 || first > last || last > bytes.length)
        refuse('Tracer accessed out of bound memory: available ' + bytes.length + ', offset ' + first + ', size ' + (last - first))
      return bytes.slice(first, last)
    },
  }
  Object.assign(globalThis, helpers)

  function wordAt(place) {
    const low = view.getBigUint64(place, true)
    const second = view.getBigUint64(place + 8, true)
    const third = view.getBigUint64(place + 16, true)
    const high = view.getBigUint64(place + 24, true)
    if (second === 0n && third === 0n && high === 0n) return low
    return (high << 192n) | (third << 128n) | (second << 64n) | low
  }

  let error
  const log = {
    getPC: () => number(${at.pc}),
    getGas: () => number(${at.gas}),
    getCost: () => number(${at.cost}),
    getDepth: () => number(${at.depth}),
    getRefund: () => number(${at.refund}),
    getError: () => error,
    op: {
      toNumber: () => number(${at.op}),
      toString: () => opNames[number(${at.op})],
      isPush: () => number(${at.op}) >= 0x5f && number(${at.op}) <= 0x7f,
    },
    stack: {
      length: () => number(${at.stackHeight}),
      peek(fromTop) {
        const [index, height] = [integer(fromTop), number(${at.stackHeight})]
        if (index < 0 || index >= height)
          refuse('tracer accessed out of bound stack: size ' + height + ', index ' + index)
        return big(wordAt(${at.stack} + 32 * (height - 1 - index)))
      },
    },
    memory: {
      length: () => number(${at.memorySize}),
      slice(begin, end) {
        const [first, last] = [integer(begin), integer(end)]
        if (first === last) return new Uint8Array(0)
        if (last < first || first < 0)
          refuse('tracer accessed out of bound memory: offset ' + first + ', end ' + last)
        const missing = last - number(${at.memorySize})
        if (missing > 1048576) refuse('reached limit for padding memory slice: ' + missing)
        return buffer(host.memory(first, last))
      },
      getUint(place) {
        const [first, size] = [integer(place), number(${at.memorySize})]
        if (first < 0 || size < first + 32)
          refuse('tracer accessed out of bound memory: available ' + size + ', offset ' + first + ', size 32')
        return big(BigInt(hexOf(buffer(host.memory(first, first + 32)))))
      },
    },
    contract: {
      getCaller: () => buffer(host.contract('caller')),
      getAddress: () => buffer(host.contract('address')),
      getInput: () => buffer(host.contract('input')),
      getValue: () => big(BigInt(host.contractValue())),
    },
  }

  const db = {
    getBalance: (address) => big(BigInt(host.balance(addressOf(address, false)))),
    getNonce: (address) => host.nonce(addressOf(address, false)),
    getCode: (address) => buffer(host.code(addressOf(address, false))),
    getState: (address, slot) => buffer(host.state(addressOf(address, false), hexOf(sized(bytesOf(slot, false), 32)))),
    exists: (address) => host.exists(addressOf(address, false)),
  }

  let entered
  const frame = {
    getType: () => entered.type,
    getFrom: () => buffer(host.frame('from')),
    getTo: () => buffer(host.frame('to')),
    getInput: () => buffer(host.frame('input')),
    getGas: () => entered.gas,
    getValue: () => (entered.value === undefined ? undefined : big(BigInt(entered.value))),
  }
  let left
  const frameResult = {
    getGasUsed: () => left.gasUsed,
    getOutput: () => buffer(host.frame('output')),
    getError: () => left.error,
  }

  const tracer = Object((0, eval)('(' + code + '\n)'))
  const has = (name) => typeof tracer[name] === 'function'
  if (!has('result')) refuse('trace object must expose a function result()')
  if (!has('fault')) refuse('trace object must expose a function fault()')
  if (has('enter') !== has('exit')) refuse('trace object must expose either both or none of enter() and exit()')
  const { result, fault, step, enter, exit } = tracer

  /** Calls a function of the tracer. */
  function run(method, first, second) {
    const value = method.call(tracer, first, second)
    if (broken !== undefined) throw new Error(broken)
    return value
  }

  function contextOf({ bytes, numbers, words }) {
    const ctx = { ...numbers }
    for (const name in bytes) ctx[name] = ofHex(bytes[name])
    for (const name in words) ctx[name] = big(BigInt(words[name]))
    return ctx
  }

  if (has('setup')) run(tracer.setup, config)
  return {
    traits: (has('step') ? 'step ' : '') + (has('enter') ? 'enter' : ''),
    step(text) {
      error = text
      run(step, log, db)
    },
    fault(text) {
      error = text
      run(fault, log, db)
    },
    enter(text) {
      entered = JSON.parse(text)
      run(enter, frame)
    },
    exit(text) {
      left = JSON.parse(text)
      run(exit, frameResult)
    },
    result(text) {
      const value = run(result, contextOf(JSON.parse(text)), db)
      // As geth shows it.
      return value === undefined || value === null ? '{}' : (stringify(value) ?? 'null')
    },
  }
})
`
