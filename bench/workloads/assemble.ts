import { opcodes } from '../../src/evm/opcodes.ts'

const codes = new Map<string, number>(Object.entries(opcodes))

/** Bytecode of words divided by white space: opcodes, numbers to push, `label:` and `@label` to push its position. */
export function assemble(source: string): Uint8Array {
  const code: number[] = []
  const labels = new Map<string, number>()
  const uses: [at: number, label: string][] = []
  for (const word of source.trim().split(/\s+/)) {
    if (word.endsWith(':')) labels.set(word.slice(0, -1), code.push(opcodes.JUMPDEST) - 1)
    else if (word.startsWith('@')) uses.push([code.push(opcodes.PUSH2, 0, 0) - 2, word.slice(1)])
    else if (/^\d/.test(word)) code.push(...pushOf(BigInt(word)))
    else code.push(opcodeOf(word))
  }
  for (const [at, label] of uses) {
    const position = labels.get(label)
    if (position === undefined) throw new Error(`no label ${label}`)
    code[at] = position >> 8
    code[at + 1] = position & 0xff
  }
  return Uint8Array.from(code)
}

function opcodeOf(word: string): number {
  const opcode = codes.get(word)
  if (opcode === undefined) throw new Error(`no opcode ${word}`)
  return opcode
}

function pushOf(value: bigint): number[] {
  const hex = value.toString(16)
  const bytes = [...Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')]
  return [opcodes.PUSH0 + bytes.length, ...bytes]
}
