import { join } from 'node:path'
import { toHex } from '../../../src/primitives/hex.ts'
import { encodeTx } from '../../../src/types/encodeTx.ts'
import { freePort } from '../../../test/support/freePort.ts'
import { contentBlocks, type SignedTx } from '../../content/contentBlocks.ts'
import { writeGenesis } from '../../content/writeGenesis.ts'
import { leaveOut } from '../../report/leaveOut.ts'
import { benchChainId } from '../../signedTransfers.ts'
import { type Call, createClient } from '../client.ts'
import { anvilBinary, startServer } from '../servers.ts'
import type { Contender } from './contender.ts'
import { contentOf } from './contentOf.ts'

/** Accounts up to which it makes blocks: with a million, each takes it five seconds and more. */
const maxAccounts = 100_000

/** It keeps nothing on disk: its blocks are made each time, of the same transactions. */
async function fill(url: string, blocks: readonly (readonly SignedTx[])[]): Promise<void> {
  const { call, batch } = createClient(url)
  for (const transactions of blocks) {
    await batch(transactions.map(({ tx }): Call => ['eth_sendRawTransaction', toHex(encodeTx(tx))]))
    await call('evm_mine')
  }
  await call('evm_setIntervalMining', 1)
}

export const anvil: Contender = async ({ folder, size }) => {
  const genesis = join(folder, 'genesis.json')
  writeGenesis(genesis, 'anvil', size.accounts)
  const port = await freePort()
  // It would keep a copy of all accounts for each block of the history, and no row asks for one; the latest that answers need may
  // be the one before.
  const options = [
    ...['--silent', `--port=${port}`, `--init=${genesis}`, `--chain-id=${benchChainId}`],
    ...['--gas-limit=1000000000', '--prune-history=2', '--no-request-size-limit'],
  ]
  const server = await startServer('anvil', anvilBinary(), options, port)
  try {
    await createClient(server.url).call('evm_setAutomine', false)
    if (size.accounts > maxAccounts)
      leaveOut('blocks of anvil', 'with so many accounts each takes seconds: it has the accounts alone')
    else await fill(server.url, await contentBlocks(size.fullBlocks))
    return { ...server, wsPort: port, content: await contentOf(size, 1) }
  } catch (error) {
    await server.stop()
    throw error
  }
}
