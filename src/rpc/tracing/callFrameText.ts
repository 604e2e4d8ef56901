import type { CallFrame, TracedLog } from '../../execution/tracing/callTracer.ts'
import { toHex } from '../../primitives/hex.ts'
import { gethHaltText } from '../calls/gethHaltText.ts'
import { gethReasonOf } from '../calls/revertFormat.ts'
import { hexText } from '../codecs/bytes.ts'

const quantity = (n: bigint | number) => `"0x${n.toString(16)}"`
function logText({ address, topics, data, position }: TracedLog): string {
  const list = topics.map((topic) => `"0x${topic.toString(16).padStart(64, '0')}"`).join(',')
  return `{"address":${hexText(address)},"topics":[${list}],"data":${hexText(data)},"position":${quantity(position)}}`
}

/** Members of a frame as geth shows it, with the calls that it made, but for its kind. */
export function callFrameMembers(frame: CallFrame, calls: readonly string[]): string[] {
  const { kind, from, to, value, gas, gasUsed, input, output, failure, logs } = frame
  const creates = kind === 'CREATE' || kind === 'CREATE2'
  const members = [`"from":"${toHex(from)}","gas":${quantity(gas)},"gasUsed":${quantity(gasUsed)}`]
  if (!(creates && failure)) members.push(`"to":"${toHex(to)}"`)
  members.push(`"input":${hexText(input)}`)
  if (output.length > 0 && (!failure || failure.halt === 'revert')) members.push(`"output":${hexText(output)}`)
  if (failure) {
    members.push(`"error":${JSON.stringify(gethHaltText(failure))}`)
    const reason = failure.halt === 'revert' ? gethReasonOf(output) : undefined
    if (reason !== undefined) members.push(`"revertReason":${JSON.stringify(reason)}`)
  }
  if (calls.length > 0) members.push(`"calls":[${calls.join(',')}]`)
  if (logs.length > 0) members.push(`"logs":[${logs.map(logText).join(',')}]`)
  if (kind !== 'STATICCALL') members.push(`"value":${quantity(value)}`)
  return members
}

/** A tree of calls as geth's `callTracer` shows it. */
export function callFrameText(frame: CallFrame): string {
  const members = callFrameMembers(frame, frame.calls.map(callFrameText))
  return `{${members.join(',')},"type":"${frame.kind}"}`
}
