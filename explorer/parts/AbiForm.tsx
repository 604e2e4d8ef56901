import { useState } from 'preact/hooks'
import type { Hex } from 'viem'
import { abiTextOf, keepAbi } from '../data/abiStore.ts'

/** Takes the ABI of a contract by paste or file; it stays in this browser. */
export function AbiForm({ address, onKept }: { address: Hex; onKept: () => void }) {
  const [text, setText] = useState(() => abiTextOf(address))
  const [problem, setProblem] = useState('')

  function save(given: string): void {
    try {
      keepAbi(address, given)
      setProblem('')
      onKept()
    } catch (error) {
      setProblem((error as Error).message)
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
        JSON as the compiler writes it, or lines like “function f(uint256 x) view”. It is kept in this browser only.
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
        <label class="file">
          or from a file
          <input type="file" accept=".json,.abi,.txt" onChange={(event) => readFile(event.currentTarget.files?.[0])} />
        </label>
      </div>
      <p class="outcome" role="status">
        {problem}
      </p>
    </details>
  )
}
