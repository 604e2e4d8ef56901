import { useState } from 'preact/hooks'
import type { Hex } from 'viem'
import { abiTextOf, keepAbi } from '../data/abiStore.ts'
import { contracts, postToSources } from '../data/contracts.ts'
import { useSite } from '../data/session.ts'
import { parseAbiText } from '../decode/parseAbiText.ts'

/** Takes the ABI of a contract by paste or file; it stays in this browser, unless the user gives it to everybody. */
export function AbiForm({ address, onKept }: { address: Hex; onKept: () => void }) {
  const [text, setText] = useState(() => abiTextOf(address))
  const [outcome, setOutcome] = useState('')
  const { sources } = useSite()

  function save(given: string): void {
    try {
      keepAbi(address, given)
      setOutcome('')
      onKept()
    } catch (error) {
      setOutcome((error as Error).message)
    }
  }

  async function share(): Promise<void> {
    try {
      await postToSources('abi', { address, abi: text.trim() === '' ? [] : parseAbiText(text) })
      contracts.forget(address)
      setOutcome(text.trim() === '' ? 'Taken away.' : 'Everybody who uses this explorer has it now.')
      onKept()
    } catch (error) {
      setOutcome((error as Error).message)
    }
  }

  async function readFile(file: File | undefined): Promise<void> {
    if (!file) return
    const given = await file.text()
    setText(given)
    save(given)
  }

  return (
    <details class="abi">
      <summary>{abiTextOf(address) ? 'ABI of this contract' : 'Give the ABI of this contract'}</summary>
      <p class="soft">
        JSON as the compiler writes it, or lines like “function f(uint256 x) view”. It is kept in this browser
        {sources ? ', unless you give it to everybody.' : ' only.'}
      </p>
      <label>
        ABI
        <textarea
          class="mono"
          rows={6}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div class="buttons">
        <button type="button" class="button" onClick={() => save(text)}>
          Use this ABI
        </button>
        {sources && (
          <button type="button" class="button" onClick={share}>
            Give it to everybody
          </button>
        )}
        <label class="file">
          or from a file
          <input type="file" accept=".json,.abi,.txt" onChange={(event) => readFile(event.currentTarget.files?.[0])} />
        </label>
      </div>
      <p class="outcome" role="status">
        {outcome}
      </p>
    </details>
  )
}
