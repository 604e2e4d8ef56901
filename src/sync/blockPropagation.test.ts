import { expect, test, vi } from 'vitest'
import { authorities, bftBlock, bftGenesis, openAuthorityChain } from '../../test/support/authorityChain.ts'
import { closedAfterEach } from '../../test/support/closedAfterEach.ts'
import { createSilentLogs } from '../../test/support/silentLogs.ts'
import { qbftCodec } from '../consensus/qbft/qbftCodec.ts'
import type { EthPeer } from '../net/eth/ethPeer.ts'
import { createEthPeers } from '../net/eth/ethPeers.ts'
import { decodeNewBlock, encodeNewBlock } from '../net/eth/newBlock.ts'
import { toAddress } from '../primitives/bytes.ts'
import { createRecentSet } from '../primitives/recentSet.ts'
import { decodeRlp, encodeRlp, rlpList } from '../primitives/rlp.ts'
import { curve } from '../primitives/secp256k1.ts'
import { createRecoverPool } from '../recovery/recoverPool.ts'
import { systemClock } from '../system/clock.ts'
import { type Block, encodeBlock } from '../types/block.ts'
import { createBlockPropagation } from './blockPropagation.ts'

const open = closedAfterEach(openAuthorityChain)

const validators = authorities(4)

/** A node that hears of blocks from one peer, and has another one to pass them on to. */
function start() {
  const { chain, consensus, head } = open(bftGenesis(qbftCodec, validators, { qbft: {} }))
  const peers = createEthPeers()
  const useless = vi.fn()
  const peerOf = (number: number, send: EthPeer['send']) =>
    ({
      info: { address: toAddress(new Uint8Array(20).fill(number)) },
      knownBlocks: createRecentSet<string>(10),
      raiseHead: () => {},
      useless,
      send,
    }) as unknown as EthPeer
  const sent: Uint8Array[] = []
  const from = peerOf(1, () => true)
  peers.add(from)
  peers.add(peerOf(2, (message, payload) => message === 'newBlock' && sent.push(payload) > 0))
  const recover = createRecoverPool({ threads: 0 })
  const onGap = vi.fn()
  const knownSender = () => undefined
  const parts = { chain, consensus, peers, recover, knownSender, clock: systemClock, log: createSilentLogs(), onGap }
  const propagation = createBlockPropagation(parts)
  return {
    consensus,
    head,
    sent,
    useless,
    async hear(block: Block): Promise<void> {
      propagation.onNewBlock(from, encodeNewBlock(block, 2n))
      await propagation.stop()
      await recover.close()
    },
  }
}

test('a block with bytes that nobody has sealed is imported and passed on without them', async () => {
  const { head, hear, sent, useless } = start()
  const block = bftBlock(head(), { codec: qbftCodec, proposer: validators[0]!, validators })
  const extraData = encodeRlp([...rlpList(decodeRlp(block.header.extraData)), new Uint8Array(100_000)])
  await hear({ ...block, header: { ...block.header, extraData } })

  expect(head().header).toEqual(block.header)
  expect(sent).toHaveLength(1)
  expect(decodeNewBlock(sent[0]!).encoded).toEqual(encodeBlock(block))
  expect(useless).not.toHaveBeenCalled()
})

test('the header of a block is validated once, and each of its seals recovered once', async () => {
  const { consensus, head, hear } = start()
  const block = bftBlock(head(), { codec: qbftCodec, proposer: validators[0]!, validators })
  const headers = [vi.spyOn(consensus, 'validateHeader'), vi.spyOn(consensus, 'validateProposal')]
  const seals = vi.spyOn(curve, 'recover')
  await hear(block)

  expect(head().header).toEqual(block.header)
  expect(headers.flatMap(({ mock }) => mock.calls)).toHaveLength(1)
  expect(seals).toHaveBeenCalledTimes(validators.length)
  seals.mockRestore()
})

test('what a quorum has sealed is imported, although nobody may propose it any more', async () => {
  const { head, hear } = start()
  const extraData = { vanity: new Uint8Array(100) }
  const block = bftBlock(head(), { codec: qbftCodec, proposer: validators[0]!, validators, extraData })
  await hear(block)
  expect(head().header).toEqual(block.header)
})
