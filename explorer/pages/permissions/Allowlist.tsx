import { useState } from 'preact/hooks'
import { type Hex, isAddress } from 'viem'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { Card } from '../../parts/Card.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Empty, explain, Failed, Waiting } from '../../parts/Notes.tsx'
import { Text } from '../../parts/Text.tsx'

const kinds = {
  accounts: {
    title: 'Accounts',
    list: 'perm_getAccountsAllowlist',
    add: 'perm_addAccountsToAllowlist',
    remove: 'perm_removeAccountsFromAllowlist',
    empty: 'No account may send transactions.',
    label: 'Address of an account',
    example: '0x…',
    isValid: (entry: string) => isAddress(entry, { strict: false }),
  },
  nodes: {
    title: 'Nodes',
    list: 'perm_getNodesAllowlist',
    add: 'perm_addNodesToAllowlist',
    remove: 'perm_removeNodesFromAllowlist',
    empty: 'No node may connect.',
    label: 'Enode URL of a node',
    example: 'enode://…@10.0.0.1:30303',
    isValid: (entry: string) => /^enode:\/\/[0-9a-f]{128}@/i.test(entry),
  },
} as const

/** A list of who is allowed, with what is needed to change it. */
export function Allowlist({ kind, fresh }: { kind: keyof typeof kinds; fresh: number }) {
  const { ask, node } = useSite()
  const { title, list, add, remove, empty } = kinds[kind]
  const [changes, setChanges] = useState(0)
  const [outcome, setOutcome] = useState('')
  const { value, error } = useLoad(`${list} ${node.path}`, () => ask<readonly string[]>(list), `${fresh} ${changes}`)

  async function change(method: string, entry: string, done: string): Promise<boolean> {
    try {
      await ask(method, [[entry]])
      setOutcome(done)
      setChanges(changes + 1)
      return true
    } catch (failure) {
      setOutcome(explain(failure as Error))
      return false
    }
  }

  return (
    <Card title={title} side={<span class="soft number">{value?.length ?? ''}</span>}>
      {error ? (
        <Failed error={error} what="This list" />
      ) : !value ? (
        <Waiting lines={3} />
      ) : (
        value.length === 0 && <Empty>{empty}</Empty>
      )}
      <ul class="plain entries">
        {value?.map((entry) => (
          <Entry key={entry} entry={entry} onRemove={() => change(remove, entry, `Removed ${entry}.`)} />
        ))}
      </ul>
      {value && <Adding kind={kind} onAdd={(entry) => change(add, entry, `Added ${entry}.`)} />}
      <p class="outcome" role="status">
        <Text value={outcome} max={300} />
      </p>
    </Card>
  )
}

/** An entry, which is removed after a second look. */
function Entry({ entry, onRemove }: { entry: string; onRemove: () => void }) {
  const [asked, setAsked] = useState(false)
  return (
    <li class="pair">
      {isAddress(entry, { strict: false }) ? <AddressLink address={entry as Hex} full /> : <Text value={entry} code />}
      {asked ? (
        <span class="buttons">
          Remove it?
          <button type="button" class="button small" onClick={onRemove}>
            Yes<span class="visually-hidden">, remove {entry}</span>
          </button>
          <button type="button" class="button small" onClick={() => setAsked(false)}>
            No
          </button>
        </span>
      ) : (
        <button type="button" class="button small" onClick={() => setAsked(true)}>
          Remove<span class="visually-hidden"> {entry}</span>
        </button>
      )}
    </li>
  )
}

function Adding({ kind, onAdd }: { kind: keyof typeof kinds; onAdd: (entry: string) => Promise<boolean> }) {
  const { label, example, isValid } = kinds[kind]
  const [text, setText] = useState('')
  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isValid(text) && (await onAdd(text))) setText('')
  }
  return (
    <form class="vote" onSubmit={submit}>
      <label>
        {label}
        <input
          class="mono"
          placeholder={example}
          spellcheck={false}
          value={text}
          aria-invalid={text !== '' && !isValid(text)}
          onInput={(event) => setText(event.currentTarget.value.trim())}
        />
      </label>
      <button type="submit" class="button" disabled={!isValid(text)}>
        Add
      </button>
    </form>
  )
}
