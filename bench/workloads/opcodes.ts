import { toHex } from '../../src/primitives/hex.ts'
import { assemble } from './assemble.ts'
import { onContract } from './workload.ts'

const a = '0xf1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff01'
const b = '0x8badf00ddeadbeefcafebabe0123456789abcdeffedcba98765432100f1e2d3c'
const c = '0xdeadbeefcafebabe1234567890abcdef0fedcba987654321aaaaaaaa55555555'
const modulus = '0xffffffff00000001000000000000000000000000fffffffffffffffffffffffd'

const code = (source: string): string => toHex(assemble(source))

/** Tight loops over one kind of opcode. */
export const opcodeWorkloads = [
  onContract(
    'arith',
    code(`200000 ${a} ${b}
      loop: DUP2 DUP2 MUL ${c} ADD SWAP2 SUB DUP2 DUP2 LT ADD SWAP2
      1 SWAP1 SUB SWAP2 DUP3 @loop JUMPI XOR 0 MSTORE 32 0 RETURN`),
  ),
  onContract(
    'muldiv',
    code(`20000 ${a} ${b}
      loop: ${modulus} DUP3 DUP3 MULMOD DUP1 1 OR ${c} DIV ADD SWAP2
      0x8badf00ddeadbeef SWAP1 DIV
      DUP2 DUP2 0xfedcba9876543210fedcba98765432100f ADD SWAP1 MOD ADD
      ${modulus} DUP3 DUP3 ADDMOD ADD
      0xabcdef1234 DUP3 SUB DUP2 SDIV ADD
      0x12345678 DUP2 EXP XOR
      0xfedcba98765432100123456789abcdef0011223344556677 DUP3 SMOD XOR SWAP1 POP
      SWAP2 1 SWAP1 SUB SWAP2 DUP3 @loop JUMPI XOR 0 MSTORE 32 0 RETURN`),
  ),
  onContract(
    'keccak 64 B',
    code(`${a} 0 MSTORE ${b} 32 MSTORE 50000
      loop: 64 0 KECCAK256 0 MSTORE 1 SWAP1 SUB DUP1 @loop JUMPI 32 0 RETURN`),
  ),
  onContract(
    'keccak 1 KiB',
    code(`${a} 0 MSTORE ${b} 992 MSTORE 10000
      loop: 1024 0 KECCAK256 0 MSTORE 1 SWAP1 SUB DUP1 @loop JUMPI 32 0 RETURN`),
  ),
  onContract(
    'memory words',
    code(`${a} 0 MSTORE ${b} 4064 MSTORE 500
      outer: 0
      inner: DUP1 MLOAD DUP2 4096 ADD MSTORE 32 ADD DUP1 4096 GT @inner JUMPI POP
      7 MLOAD 1 ADD 11 MSTORE 1 SWAP1 SUB DUP1 @outer JUMPI 32 4096 RETURN`),
  ),
  onContract(
    'mcopy',
    code(`${a} 0 MSTORE ${b} 992 MSTORE 50000
      loop: 1024 0 2048 MCOPY 256 0 512 CALLDATACOPY 96 16 3000 MCOPY
      1 SWAP1 SUB DUP1 @loop JUMPI 32 2048 RETURN`),
    [`0x${'11'.repeat(256)}`],
  ),
]
