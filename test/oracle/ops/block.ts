import { since } from '../../../src/forks/rules.ts'
import type { ForkName } from '../../../src/forks/table.ts'
import type { Frame } from '../frame.ts'
import type { Machine } from '../machine.ts'
import { type Opcode, opcode } from '../opcode.ts'

type Answer = (machine: Machine, frame: Frame) => bigint

const get = (byte: number, name: string, gas: bigint, answer: Answer, fork?: ForkName) =>
  opcode(byte, name, 0, 1, gas, (frame, machine) => frame.push(answer(machine, frame)), fork)

export const blockContext: readonly Opcode[] = [
  opcode(0x40, 'BLOCKHASH', 1, 1, 20n, (frame, { block }) => {
    const wanted = frame.pop()
    const known = wanted < block.number && wanted + 256n >= block.number
    frame.push(known ? block.blockHash(wanted) : 0n)
  }),
  get(0x41, 'COINBASE', 2n, ({ block }) => block.beneficiary),
  get(0x42, 'TIMESTAMP', 2n, ({ block }) => block.timestamp),
  get(0x43, 'NUMBER', 2n, ({ block }) => block.number),
  get(0x44, 'DIFFICULTY', 2n, ({ block, rules }) => (since(rules, 'paris') ? block.prevRandao : block.difficulty)),
  get(0x45, 'GASLIMIT', 2n, ({ block }) => block.gasLimit),
  get(0x46, 'CHAINID', 2n, ({ block }) => block.chainId, 'istanbul'),
  get(0x47, 'SELFBALANCE', 5n, ({ world }, { address }) => world.balance(address), 'istanbul'),
  get(0x48, 'BASEFEE', 2n, ({ block }) => block.baseFee, 'london'),
  opcode(
    0x49,
    'BLOBHASH',
    1,
    1,
    3n,
    (frame, { blobHashes }) => {
      const index = frame.pop()
      frame.push(index < BigInt(blobHashes.length) ? blobHashes[Number(index)]! : 0n)
    },
    'cancun',
  ),
  get(0x4a, 'BLOBBASEFEE', 2n, ({ block }) => block.blobBaseFee, 'cancun'),
]
