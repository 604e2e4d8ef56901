import type { PoolEntry } from '../../pool/entry.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import type { JsonObject } from '../../primitives/json.ts'
import { maxGasPriceOf } from '../../types/transaction.ts'
import { invalidParams } from '../protocol/fault.ts'
import { address } from './bytes.ts'
import type { Decoder } from './codec.ts'
import { decodeObject } from './jsonObject.ts'

/** Whether a transaction matches. */
export type Fits = (entry: PoolEntry) => boolean

const operators = ['eq', 'lt', 'gt', 'action']

/** The operator of a member and its operand. */
function conditionOf(json: unknown): [operator: string, operand: string] {
  const object = decodeObject(json)
  const given = Object.keys(object).filter((name) => operators.includes(name))
  const operand = given.length === 1 ? object[given[0]!] : undefined
  if (typeof operand !== 'string') throw invalidParams()
  return [given[0]!, operand]
}

function number(json: unknown, amountOf: (entry: PoolEntry) => bigint): Fits {
  const [operator, operand] = conditionOf(json)
  if (operator === 'action') throw invalidParams()
  // An invalid number matches nothing: Besu fails only if there is a transaction to compare with.
  const digits = /^(?:0x)?([0-9a-fA-F]+)$/.exec(operand)?.[1]
  if (digits === undefined) return () => false
  const wanted = BigInt(`0x${digits}`)
  return (entry) => {
    const value = amountOf(entry)
    return operator === 'eq' ? value === wanted : operator === 'lt' ? value < wanted : value > wanted
  }
}

function sender(json: unknown): Fits {
  const [operator, operand] = conditionOf(json)
  if (operator !== 'eq') throw invalidParams()
  const wanted = address.decode(operand)
  return (entry) => equalBytes(entry.sender, wanted)
}

function recipient(json: unknown): Fits {
  const [operator, operand] = conditionOf(json)
  if (operator === 'action') return ({ tx }) => tx.to === undefined
  if (operator !== 'eq') throw invalidParams()
  const wanted = address.decode(operand)
  return ({ tx }) => tx.to !== undefined && equalBytes(tx.to, wanted)
}

const members: Readonly<Record<string, (json: unknown) => Fits>> = {
  from: sender,
  to: recipient,
  gas: (json) => number(json, ({ tx }) => tx.gasLimit),
  gasPrice: (json) => number(json, ({ tx }) => maxGasPriceOf(tx)),
  value: (json) => number(json, ({ tx }) => tx.value),
  nonce: (json) => number(json, ({ tx }) => tx.nonce),
}

function decode(object: JsonObject): Fits {
  const conditions: Fits[] = []
  for (const [name, read] of Object.entries(members))
    if (Object.hasOwn(object, name) && object[name] !== null) conditions.push(read(object[name]))
  return (entry) => conditions.every((fits) => fits(entry))
}

/** Members from, to, gas, gasPrice, value and nonce, each with one of the operators eq, lt, gt; others are ignored. */
export const pendingFilter: Decoder<Fits> = {
  schema: {
    title: 'pending filter',
    type: 'object',
    properties: Object.fromEntries(Object.keys(members).map((name) => [name, { type: 'object' }])),
  },
  decode: (json) => decode(decodeObject(json)),
}
