import type { CallFrame } from '../../execution/tracing/callTracer.ts'
import type { FrameUse, ValidationTrace } from '../../execution/tracing/validationTracer.ts'
import { toHex } from '../../primitives/hex.ts'
import { hexText } from '../codecs/bytes.ts'
import { callFrameMembers } from './callFrameText.ts'

const slotText = (slot: bigint) => `"0x${slot.toString(16).padStart(64, '0')}"`

function mapText<K, V>(map: ReadonlyMap<K, V>, key: (key: K) => string, value: (value: V) => string): string {
  return `{${[...map].map(([k, v]) => `${key(k)}:${value(v)}`).join(',')}}`
}

function useMembers({ reads, writes, transientReads, transientWrites, ...use }: FrameUse): string[] {
  const counts = (map: ReadonlyMap<bigint, number>) => mapText(map, slotText, String)
  const slots = [
    `"reads":${mapText(reads, slotText, (value) => `[${hexText(value)}]`)}`,
    `"writes":${counts(writes)}`,
    `"transientReads":${counts(transientReads)}`,
    `"transientWrites":${counts(transientWrites)}`,
  ]
  const contracts = [...use.contracts.values()].map(
    ({ address, codeSize, op }) => `${hexText(address)}:{"contractSize":${codeSize},"opcode":${op}}`,
  )
  return [
    `"accessedSlots":{${slots.join(',')}}`,
    `"extCodeAccessInfo":[${use.codeReads.map(hexText).join(',')}]`,
    `"usedOpcodes":${mapText(use.opCounts, (op) => `"0x${op.toString(16)}"`, String)}`,
    `"contractSize":{${contracts.join(',')}}`,
    `"outOfGas":${use.isOutOfGas}`,
  ]
}

function frameText(frame: CallFrame, use: FrameUse, hashed: readonly string[]): string {
  const calls = frame.calls.map((call, i) => frameText(call, use.inner[i]!, []))
  return `{${[
    ...callFrameMembers(frame, []),
    ...useMembers(use),
    ...(hashed.length > 0 ? [`"keccak":[${hashed.map((hex) => `"${hex}"`).join(',')}]`] : []),
    ...(calls.length > 0 ? [`"calls":[${calls.join(',')}]`] : []),
    `"type":"${frame.kind}"`,
  ].join(',')}}`
}

/** Frames with what they used, as geth's `erc7562Tracer` shows them. */
export function validationText({ frame, use, hashed }: ValidationTrace): string {
  return frameText(frame, use, hashed.map((input) => toHex(input)).sort())
}
