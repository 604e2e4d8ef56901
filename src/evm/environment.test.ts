import { expect, test } from 'vitest'
import { evmSuite } from '../../test/support/evmSuite.ts'
import {
  addressOf,
  assemble,
  block,
  coinbase,
  contract,
  returnTop,
  send,
  sender,
  slotOf,
} from '../../test/support/evmWorld.ts'
import { emptyBytes } from '../primitives/bytes.ts'
import { emptyCodeHash } from '../primitives/keccak.ts'
import { bytesToBigInt } from '../primitives/u256.ts'

const nobody = addressOf(0xdeadn)

evmSuite('surroundings', (world) => {
  test('logs carry address, topics and data in order', () => {
    const code = assemble('0x11223344 0 MSTORE 0 0 LOG0 7 8 4 28 LOG2')
    const evm = world([[contract, { code }]])
    send(evm)
    expect(evm.logs()).toEqual([
      { address: contract, topics: [], data: emptyBytes },
      { address: contract, topics: [slotOf(8n), slotOf(7n)], data: Uint8Array.of(0x11, 0x22, 0x33, 0x44) },
    ])
    evm.endTx()
    expect(evm.logs()).toHaveLength(2)
    evm.beginTx({ origin: sender, gasPrice: 0n, blobHashes: [] })
    expect(evm.logs()).toEqual([])
  })

  test('transient storage lives as long as the transaction', () => {
    const evm = world([[contract, { code: assemble(`5 TLOAD 1 5 TSTORE ${returnTop}`) }]])
    expect(bytesToBigInt(send(evm).output)).toBe(0n)
    expect(bytesToBigInt(send(evm).output)).toBe(1n)
    evm.beginTx({ origin: sender, gasPrice: 0n, blobHashes: [] })
    expect(bytesToBigInt(send(evm).output)).toBe(0n)
  })

  test.each([
    ['ORIGIN', bytesToBigInt(sender)],
    ['GASPRICE', 10n],
    ['COINBASE', bytesToBigInt(coinbase)],
    ['TIMESTAMP', block.timestamp],
    ['NUMBER', block.number],
    ['PREVRANDAO', bytesToBigInt(block.prevRandao)],
    ['GASLIMIT', block.gasLimit],
    ['CHAINID', block.chainId],
    ['BASEFEE', block.baseFee],
    ['BLOBBASEFEE', block.blobBaseFee],
    ['SELFBALANCE', 77n],
    ['0 BLOBHASH', 0xb10bn],
    ['1 BLOBHASH', 0n],
    ['999 BLOCKHASH', 999n + 0xb10cn],
    ['744 BLOCKHASH', 744n + 0xb10cn],
    ['743 BLOCKHASH', 0n],
    ['1000 BLOCKHASH', 0n],
    ['CODESIZE', 9n],
    ['PC', 0n],
    [`${bytesToBigInt(nobody)} EXTCODEHASH`, 0n],
    [`${bytesToBigInt(sender)} EXTCODEHASH`, bytesToBigInt(emptyCodeHash)],
  ])('%s returns its part of the environment', (op, want) => {
    const evm = world([[contract, { code: assemble(`${op} ${returnTop}`), balance: 77n }]])
    expect(bytesToBigInt(send(evm).output)).toBe(want)
  })

  test('before the merge 0x44 is the difficulty', () => {
    const evm = world([[contract, { code: assemble(`PREVRANDAO ${returnTop}`) }]], 'london')
    expect(bytesToBigInt(send(evm).output)).toBe(block.difficulty)
  })
})
