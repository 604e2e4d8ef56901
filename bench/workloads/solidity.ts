import { contracts, inputOf, mappingSlot } from './contracts.ts'
import { addressOf, onContract, sender, type Workload, word } from './workload.ts'

const rich = `0x${word(10n ** 30n)}`
const unlimited = `0x${'ff'.repeat(32)}`
const range = (count: number) => Array.from({ length: count }, (_, i) => i)

const balances = { storage: { [mappingSlot(sender, 0)]: rich } }

/** A market with its two tokens, on which the sender swaps to and fro. */
function swaps(count: number): Workload {
  const [market, token0, token1] = [addressOf(0xa000), addressOf(0xa001), addressOf(0xa002)]
  const token = {
    code: contracts.Token,
    storage: {
      ...balances.storage,
      [mappingSlot(market, 0)]: rich,
      [mappingSlot(market, mappingSlot(sender, 1))]: unlimited,
    },
  }
  const reserves = 10n ** 27n
  const state = {
    code: contracts.Market,
    storage: {
      [`0x${word(0)}`]: `0x${word(token0)}`,
      [`0x${word(1)}`]: `0x${word(token1)}`,
      [`0x${word(2)}`]: `0x${word((reserves << 112n) | reserves)}`,
    },
  }
  const calls = range(count).map((i) => ({
    to: market,
    data: inputOf('swap(uint256,bool)', 10n ** 18n + BigInt(i), i % 2),
  }))
  return { name: 'swaps', accounts: { [market]: state, [token0]: token, [token1]: token }, calls }
}

/** Contracts as people write them. */
export const solidityWorkloads = [
  onContract('erc20 loop', contracts.Token, [inputOf('loop(uint256)', 5000)], balances),
  onContract(
    'erc20 transfers',
    contracts.Token,
    range(500).map((i) => inputOf('transfer(address,uint256)', 0x1000 + ((i * 7) % 64), 1 + i)),
    balances,
  ),
  swaps(200),
  onContract(
    'ledger',
    contracts.Ledger,
    range(20).map((i) => inputOf('record(uint256,uint256)', 20, i)),
  ),
  onContract('fib', contracts.Compute, [inputOf('fib(uint256,uint256)', 250, 400)]),
  onContract('quicksort', contracts.Compute, [inputOf('sort(uint256,uint256)', 2000, 12345)]),
]
