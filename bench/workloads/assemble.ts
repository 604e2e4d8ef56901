const names =
  '00 STOP 01 ADD 02 MUL 03 SUB 04 DIV 05 SDIV 06 MOD 07 SMOD 08 ADDMOD 09 MULMOD 0a EXP 0b SIGNEXTEND ' +
  '10 LT 11 GT 12 SLT 13 SGT 14 EQ 15 ISZERO 16 AND 17 OR 18 XOR 19 NOT 1a BYTE 1b SHL 1c SHR 1d SAR 20 KECCAK256 ' +
  '30 ADDRESS 31 BALANCE 33 CALLER 34 CALLVALUE 35 CALLDATALOAD 36 CALLDATASIZE 37 CALLDATACOPY 38 CODESIZE ' +
  '39 CODECOPY 3d RETURNDATASIZE 47 SELFBALANCE 50 POP 51 MLOAD 52 MSTORE 53 MSTORE8 54 SLOAD 55 SSTORE 56 JUMP ' +
  '57 JUMPI 59 MSIZE 5a GAS 5e MCOPY a0 LOG0 a1 LOG1 a3 LOG3 f0 CREATE f1 CALL f3 RETURN f4 DELEGATECALL f5 CREATE2 ' +
  'fa STATICCALL fd REVERT'

const opcodes = new Map(names.split(' ').flatMap((word, i, all) => (i % 2 ? [[word, Number(`0x${all[i - 1]}`)]] : [])))

const jumpdest = 0x5b
const push0 = 0x5f
const push2 = 0x61
const dup1 = 0x80
const swap1 = 0x90

/** Bytecode of words divided by white space: opcodes, numbers to push, `label:` and `@label` to push its place. */
export function assemble(source: string): Uint8Array {
  const code: number[] = []
  const labels = new Map<string, number>()
  const uses: [at: number, label: string][] = []
  for (const word of source.trim().split(/\s+/)) {
    const stackOp = /^(DUP|SWAP)(\d+)$/.exec(word)
    if (word.endsWith(':')) labels.set(word.slice(0, -1), code.push(jumpdest) - 1)
    else if (word.startsWith('@')) uses.push([code.push(push2, 0, 0) - 2, word.slice(1)])
    else if (stackOp) code.push((stackOp[1] === 'DUP' ? dup1 : swap1) + Number(stackOp[2]) - 1)
    else if (/^\d/.test(word)) code.push(...pushOf(BigInt(word)))
    else code.push(opcodeOf(word))
  }
  for (const [at, label] of uses) {
    const place = labels.get(label)
    if (place === undefined) throw new Error(`no label ${label}`)
    code[at] = place >> 8
    code[at + 1] = place & 0xff
  }
  return Uint8Array.from(code)
}

function opcodeOf(word: string): number {
  const opcode = opcodes.get(word)
  if (opcode === undefined) throw new Error(`no opcode ${word}`)
  return opcode
}

function pushOf(value: bigint): number[] {
  const hex = value.toString(16)
  const bytes = [...Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')]
  return [push0 + bytes.length, ...bytes]
}
