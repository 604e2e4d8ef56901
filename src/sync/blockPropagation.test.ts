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
import { createRecoverPool } from '../recovery/recoverPool.ts'
import { systemClock } from '../system/clock.ts'
import { encodeBlock } from '../types/block.ts'
import { createBlockPropagation } from './blockPropagation.ts'

const open = closedAfterEach(openAuthorityChain)

test('a block with bytes that nobody has sealed is imported and passed on without them', async () => {
  const validators = authorities(4)
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

  const block = bftBlock(head(), { codec: qbftCodec, proposer: validators[0]!, validators })
  const extraData = encodeRlp([...rlpList(decodeRlp(block.header.extraData)), new Uint8Array(100_000)])
  propagation.onNewBlock(from, encodeNewBlock({ ...block, header: { ...block.header, extraData } }, 2n))
  await propagation.stop()

  expect(head().header).toEqual(block.header)
  expect(sent).toHaveLength(1)
  expect(decodeNewBlock(sent[0]!).encoded).toEqual(encodeBlock(block))
  expect(useless).not.toHaveBeenCalled()
  await recover.close()
})
