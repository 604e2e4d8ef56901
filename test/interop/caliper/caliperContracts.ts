import { createWalletClient, type Hex, http, parseAbi, publicActions, toBytes, toHex } from 'viem'
import { HDKey, hdKeyToAccount, privateKeyToAccount } from 'viem/accounts'
import { tokenCode } from '../../../bench/rpc/token.ts'
import { compile, inputOf } from '../../sources/solidity.ts'
import { accounts } from '../toolChain.ts'

/** Each has a process and an account of its own; Caliper derives their keys from the seed. */
export const workers = 4
export const seed = 'workers of caliper beside quoin'

/** Accounts by name, with what they own; the interface is that of Caliper's own contract of this name. */
const simpleSource = `
contract Simple {
    mapping(string => int256) private money;
    function open(string calldata name, int256 amount) external { money[name] = amount; }
    function query(string calldata name) external view returns (int256) { return money[name]; }
    function transfer(string calldata from, string calldata to, int256 amount) external {
        money[from] -= amount;
        money[to] += amount;
    }
}`
const simpleAbi = parseAbi([
  'function open(string name, int256 amount)',
  'function query(string name) view returns (int256)',
  'function transfer(string from, string to, int256 amount)',
])
const tokenAbi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
])
const compilerSettings = { optimizer: { enabled: true, runs: 200 }, evmVersion: 'berlin' }
const tokensEach = 10n ** 20n

const workerAddresses = Array.from(
  { length: workers },
  (_, i) => hdKeyToAccount(HDKey.fromMasterSeed(toBytes(seed)), { path: `m/44'/60'/${i}'/0/0` }).address,
)

/** A contract as the configuration of a network has it. */
export interface CaliperContract {
  readonly address: Hex
  readonly abi: readonly object[]
  /** Gas by method: what Caliper's own configuration gives. */
  readonly gas: Readonly<Record<string, number>>
}

/** Creates the contracts, and gives each worker its tokens. */
export async function deployContracts(url: string): Promise<Readonly<Record<'simple' | 'ERC20', CaliperContract>>> {
  const account = privateKeyToAccount(accounts[0]!.key as Hex)
  const client = createWalletClient({ account, transport: http(url) }).extend(publicActions)
  const terms = { chain: null, gasPrice: 0n, gas: 1_000_000n } as const
  const minedReceipt = (hash: Hex) => client.waitForTransactionReceipt({ hash, pollingInterval: 250, timeout: 120_000 })
  async function deploy(abi: readonly object[], bytecode: Hex): Promise<Hex> {
    const { contractAddress } = await minedReceipt(await client.deployContract({ abi, bytecode, ...terms }))
    return contractAddress!
  }
  const simple = await deploy(simpleAbi, `0x${compile(inputOf(simpleSource, compilerSettings), 'Simple').code}`)
  const token = await deploy(tokenAbi, toHex(tokenCode))
  for (const address of workerAddresses) {
    const args = [address, tokensEach] as const
    const call = { address: token, abi: tokenAbi, functionName: 'transfer', args, ...terms } as const
    await minedReceipt(await client.writeContract(call))
  }
  return {
    simple: { address: simple, abi: simpleAbi, gas: { open: 100_000, query: 100_000, transfer: 70_000 } },
    ERC20: { address: token, abi: tokenAbi, gas: { transfer: 100_000 } },
  }
}
