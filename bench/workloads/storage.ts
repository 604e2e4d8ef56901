import { toHex } from '../../src/primitives/hex.ts'
import { assemble } from './assemble.ts'
import { onContract, type Workload, word } from './workload.ts'

/** Reads slots here and there of a contract with many, each for the first time, from the database. */
function coldReads(slots: number, reads: number): Workload {
  const code = assemble(`0 CALLDATALOAD ${reads}
    loop: SWAP1 1103515245 MUL 12345 ADD 0xffffffff AND
    DUP1 16 SHR ${slots} SWAP1 MOD SLOAD 0 MLOAD ADD 0 MSTORE
    SWAP1 1 SWAP1 SUB DUP1 @loop JUMPI 32 0 RETURN`)
  return {
    ...onContract('cold reads from disk', toHex(code), [`0x${word(42)}`], { filledSlots: slots }),
    onDisk: true,
  }
}

/** State that has to be fetched. */
export const storageWorkloads = [coldReads(60_000, 5_000)]
