import { useState } from 'preact/hooks'
import { decodeFunctionResult, encodeFunctionData, type Hex, isAddress, parseAbi } from 'viem'
import type { Ask } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { sendByWallet } from '../../data/wallet.ts'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import { AddressLink, TxLink } from '../../parts/Links.tsx'
import { Empty, explain, Failed, Waiting } from '../../parts/Notes.tsx'
import { Text } from '../../parts/Text.tsx'

interface Configured {
  readonly accounts: Hex | null
  readonly nodes: Hex | null
  readonly nodesVersion: number
}

/** What a node asks, and what contracts of ConsenSys' permissioning answer beside it. */
const abi = parseAbi([
  'function transactionAllowed(address sender, address target, uint256 value, uint256 gasPrice, uint256 gasLimit, bytes payload) view returns (bool)',
  'function connectionAllowed(string enodeId, string ip, uint16 port) view returns (bool)',
  'function getContractAddress(bytes32 name) view returns (address)',
  'function getAccounts() view returns (address[])',
  'function addAccount(address account) returns (bool)',
  'function removeAccount(address account) returns (bool)',
])
const rules: Hex = `0x${'rules'
  .split('')
  .map((one) => one.charCodeAt(0).toString(16))
  .join('')
  .padEnd(64, '0')}`

async function call<T>(ask: Ask, to: Hex, functionName: string, args: readonly unknown[] = []): Promise<T> {
  const data = encodeFunctionData({ abi, functionName, args } as never)
  const output = await ask<Hex>('eth_call', [{ to, data }, 'latest'])
  return decodeFunctionResult({ abi, functionName, data: output } as never) as T
}

/** The list of a contract that names its rules and can list them; undefined for others. */
async function listOf(
  ask: Ask,
  contract: Hex,
): Promise<{ readonly at: Hex; readonly accounts: readonly Hex[] } | undefined> {
  try {
    const at = await call<Hex>(ask, contract, 'getContractAddress', [rules])
    return { at, accounts: await call<readonly Hex[]>(ask, at, 'getAccounts') }
  } catch {
    return undefined
  }
}

/** The contracts that decide who may send and connect: where they are, whom they allow, and asking them. */
export function Contracts() {
  const { ask, node } = useSite()
  const { value, error } = useLoad(`contracts ${node.path}`, () => ask<Configured>('perm_getContracts'))
  return (
    <Card title="Contracts">
      {error ? (
        <Failed error={error} what="The contracts" />
      ) : !value ? (
        <Waiting lines={2} />
      ) : !value.accounts && !value.nodes ? (
        <Empty>No contract decides for this node.</Empty>
      ) : (
        <Facts>
          {value.accounts && (
            <Fact name="Accounts">
              <AccountsContract address={value.accounts} />
            </Fact>
          )}
          {value.nodes && (
            <Fact name="Nodes">
              <AddressLink address={value.nodes} full /> <span class="tag">interface {value.nodesVersion}</span>
              {value.nodesVersion === 2 && <AskNode contract={value.nodes} />}
            </Fact>
          )}
        </Facts>
      )}
    </Card>
  )
}

function AccountsContract({ address }: { address: Hex }) {
  const { ask, node } = useSite()
  const [text, setText] = useState('')
  const [outcome, setOutcome] = useState<preact.ComponentChildren>('')
  const { value: list } = useLoad(`rules ${node.path} ${address}`, () => listOf(ask, address))
  const isGood = isAddress(text, { strict: false })

  async function check(): Promise<void> {
    const zero = `0x${'0'.repeat(40)}`
    try {
      const may = await call<boolean>(ask, address, 'transactionAllowed', [
        text.toLowerCase(),
        zero,
        0n,
        0n,
        21_000n,
        '0x',
      ])
      setOutcome(may ? 'It may send a plain transfer.' : 'It may not send.')
    } catch (error) {
      setOutcome(`The contract gives no answer: ${explain(error as Error)}`)
    }
  }

  async function send(functionName: 'addAccount' | 'removeAccount'): Promise<void> {
    if (!list) return
    try {
      const data = encodeFunctionData({ abi, functionName, args: [text.toLowerCase() as Hex] })
      const hash = await sendByWallet(await ask<Hex>('eth_chainId'), list.at, data, '0x0')
      setOutcome(
        <>
          Sent: <TxLink hash={hash} />
        </>,
      )
    } catch (error) {
      setOutcome(explain(error as Error))
    }
  }

  return (
    <>
      <AddressLink address={address} full />
      {list && (
        <ul class="plain">
          {list.accounts.map((account) => (
            <li key={account}>
              <AddressLink address={account} full />
            </li>
          ))}
        </ul>
      )}
      <label class="field">
        May this account send?
        <input
          class="mono"
          placeholder="0x…"
          spellcheck={false}
          value={text}
          aria-invalid={text !== '' && !isGood}
          onInput={(event) => setText(event.currentTarget.value.trim())}
        />
      </label>
      <div class="buttons">
        <button type="button" class="button" disabled={!isGood} onClick={check}>
          Ask the contract
        </button>
        {list && (
          <>
            <button type="button" class="button" disabled={!isGood} onClick={() => send('addAccount')}>
              Add by wallet
            </button>
            <button type="button" class="button" disabled={!isGood} onClick={() => send('removeAccount')}>
              Remove by wallet
            </button>
          </>
        )}
      </div>
      <p class="outcome" role="status">
        {outcome}
      </p>
    </>
  )
}

function AskNode({ contract }: { contract: Hex }) {
  const { ask } = useSite()
  const [text, setText] = useState('')
  const [outcome, setOutcome] = useState('')
  const parts = /^enode:\/\/([0-9a-f]{128})@([^:/?]+):(\d{1,5})/i.exec(text)

  async function check(): Promise<void> {
    const [, id, ip, port] = parts!
    try {
      const may = await call<boolean>(ask, contract, 'connectionAllowed', [id, ip, Number(port)])
      setOutcome(may ? 'It may connect.' : 'It may not connect.')
    } catch (error) {
      setOutcome(`The contract gives no answer: ${explain(error as Error)}`)
    }
  }

  return (
    <>
      <label class="field">
        May this node connect?
        <input
          class="mono"
          placeholder="enode://…@10.0.0.1:30303"
          spellcheck={false}
          value={text}
          aria-invalid={text !== '' && !parts}
          onInput={(event) => setText(event.currentTarget.value.trim())}
        />
      </label>
      <button type="button" class="button" disabled={!parts} onClick={check}>
        Ask the contract
      </button>
      <p class="outcome" role="status">
        <Text value={outcome} max={300} />
      </p>
    </>
  )
}
