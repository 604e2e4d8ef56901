import type { Halt } from '../../evm/message.ts'
import { opTableOf } from '../../evm/opTables.ts'
import type { CallFailure, CallFrame, TracedLog } from '../../execution/tracing/callTracer.ts'
import { rulesOf } from '../../forks/rules.ts'
import { toHex } from '../../primitives/hex.ts'
import { hexText } from '../codecs/bytes.ts'
import { reasonOf } from '../executionError.ts'

const quantity = (n: bigint | number) => `"0x${n.toString(16)}"`
const opNames = opTableOf(rulesOf('osaka'))
const stackLimit = 1024

/** The words of geth, which tools look for. */
const failureTexts: Readonly<Partial<Record<Halt, string>>> = {
  revert: 'execution reverted',
  outOfGas: 'out of gas',
  invalidJump: 'invalid jump destination',
  staticViolation: 'write protection',
  returnDataBounds: 'return data out of bounds',
  callDepth: 'max call depth exceeded',
  insufficientBalance: 'insufficient balance for transfer',
  createCollision: 'contract address collision',
  codeTooLarge: 'max code size exceeded',
  invalidCode: 'invalid code: must not begin with 0xef',
  initCodeTooLarge: 'out of gas',
  codeDepositOutOfGas: 'contract creation code storage out of gas',
  nonceOverflow: 'nonce uint64 overflow',
  precompileFailure: 'precompiled contract failed',
}

function failureText({ halt, op, stackHeight }: CallFailure): string {
  const known = opNames[op]
  switch (halt) {
    case 'invalidOpcode':
      return `invalid opcode: ${known?.name ?? (op === 0xfe ? 'INVALID' : `opcode 0x${op.toString(16)} not defined`)}`
    case 'stackUnderflow':
      return `stack underflow (${stackHeight} <=> ${known?.in ?? 0})`
    case 'stackOverflow':
      return `stack limit reached ${stackHeight} (${stackLimit + (known?.in ?? 0) - (known?.out ?? 0)})`
    default:
      return failureTexts[halt] ?? halt
  }
}

function logText({ address, topics, data, position }: TracedLog): string {
  const list = topics.map((topic) => `"0x${topic.toString(16).padStart(64, '0')}"`).join(',')
  return `{"address":${hexText(address)},"topics":[${list}],"data":${hexText(data)},"position":${quantity(position)}}`
}

/** A tree of calls as geth's `callTracer` shows it. */
export function callFrameText(frame: CallFrame): string {
  const { kind, from, to, value, gas, gasUsed, input, output, failure, calls, logs } = frame
  const creates = kind === 'CREATE' || kind === 'CREATE2'
  const members = [`"from":"${toHex(from)}","gas":${quantity(gas)},"gasUsed":${quantity(gasUsed)}`]
  if (!(creates && failure)) members.push(`"to":"${toHex(to)}"`)
  members.push(`"input":${hexText(input)}`)
  if (output.length > 0 && (!failure || failure.halt === 'revert')) members.push(`"output":${hexText(output)}`)
  if (failure) {
    members.push(`"error":${JSON.stringify(failureText(failure))}`)
    const reason = failure.halt === 'revert' ? reasonOf(output) : undefined
    if (reason !== undefined) members.push(`"revertReason":${JSON.stringify(reason)}`)
  }
  if (calls.length > 0) members.push(`"calls":[${calls.map(callFrameText).join(',')}]`)
  if (logs.length > 0) members.push(`"logs":[${logs.map(logText).join(',')}]`)
  if (kind !== 'STATICCALL') members.push(`"value":${quantity(value)}`)
  return `{${members.join(',')},"type":"${kind}"}`
}
