import { useState } from 'preact/hooks'
import type { Hex } from 'viem'
import { keepName, useName } from '../../data/names.ts'
import { Fact } from '../../parts/Card.tsx'
import { Text } from '../../parts/Text.tsx'

/** The name of an account, and a field for one that this browser keeps. */
export function NameFact({ address }: { address: Hex }) {
  const known = useName(address)
  const [text, setText] = useState<string>()
  if (text === undefined)
    return (
      <Fact name="Name">
        {known && (
          <>
            <Text value={known.name} max={64} />{' '}
            <span class="soft">
              {known.from === 'node' ? 'given by the operator ' : 'yours, kept in this browser '}
            </span>
          </>
        )}
        <button type="button" class="link" onClick={() => setText(known?.from === 'browser' ? known.name : '')}>
          {known?.from === 'browser' ? 'Change' : 'Give a name'}
        </button>
      </Fact>
    )
  return (
    <Fact name="Name">
      <form
        class="name-form"
        onSubmit={(event) => {
          event.preventDefault()
          keepName(address, text)
          setText(undefined)
        }}
      >
        <input
          aria-label="Name of this account in this browser"
          maxLength={64}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button small">
          Keep
        </button>
        <button type="button" class="button small" onClick={() => setText(undefined)}>
          Cancel
        </button>
      </form>
    </Fact>
  )
}
