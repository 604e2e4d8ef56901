import { writeFileSync } from 'node:fs'
import { devAccounts } from '../../src/forks/devGenesis.ts'

/** Besu and geth have different names for the two numbers of Clique, and each ignores the other's. */
const spellings = {
  besu: { blockperiodseconds: 1, epochlength: 30_000 },
  geth: { period: 1, epoch: 30_000 },
  both: { blockperiodseconds: 1, epochlength: 30_000, period: 1, epoch: 30_000 },
} as const

/** London comes while the chain runs, so that the fork identifier of peers changes. */
const londonBlock = 5

/** Writes the genesis of a Clique network with a block every second and gives the file's name back. */
export function writeCliqueGenesis(file: string, signers: readonly string[], spelling: keyof typeof spellings): string {
  const early = [
    'homestead',
    'eip150',
    'eip155',
    'eip158',
    'byzantium',
    'constantinople',
    'petersburg',
    'istanbul',
    'berlin',
  ]
  const listed = [...signers].sort().map((address) => address.slice(2))
  const genesis = {
    config: {
      chainId: 1337,
      ...Object.fromEntries(early.map((fork) => [`${fork}Block`, 0])),
      londonBlock,
      clique: spellings[spelling],
    },
    nonce: '0x0',
    timestamp: '0x58ee40ba',
    gasLimit: '0x1c9c380',
    difficulty: '0x1',
    mixHash: `0x${'0'.repeat(64)}`,
    coinbase: `0x${'0'.repeat(40)}`,
    extraData: `0x${'0'.repeat(64)}${listed.join('')}${'0'.repeat(130)}`,
    alloc: Object.fromEntries(devAccounts.map(({ address, balance }) => [address, { balance }])),
  }
  writeFileSync(file, JSON.stringify(genesis))
  return file
}
