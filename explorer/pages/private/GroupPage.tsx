import { useState } from 'preact/hooks'
import { type Hex, isAddress } from 'viem'
import { eventBlocks, kindOf, loadGroups, loadPrivateLogs, privateRoute } from '../../data/groups.ts'
import { useHead } from '../../data/head.ts'
import type { Log } from '../../data/objects.ts'
import { goTo } from '../../data/route.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { formatCount } from '../../format/numbers.ts'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import { Empty, Failed, Waiting } from '../../parts/Notes.tsx'
import { PrivateContractLink, PublicKey } from '../../parts/PrivateLinks.tsx'
import { Text } from '../../parts/Text.tsx'
import { PrivateLogs } from './PrivateLogs.tsx'

/** A privacy group, for its members: who they are, its contracts as far as they emit events, and these events. */
export function GroupPage({ id }: { id: string }) {
  const { ask, node } = useSite()
  const { number: head } = useHead()
  const { value, error } = useLoad(`group ${node.path} ${id}`, async () => {
    const { publicKey, groups } = await loadGroups(ask)
    return { publicKey, group: groups.find(({ privacyGroupId }) => privacyGroupId === id) ?? null }
  })
  const logs = useLoad(
    `logs ${node.path} ${id}`,
    async () => (head === undefined || !value?.group ? undefined : loadPrivateLogs(ask, id, head)),
    value?.group && head,
  )
  if (error) return <Failed error={error} what="This group" />
  const group = value?.group
  return (
    <>
      <header class="title">
        <h1>{group?.name ? <Text value={group.name} max={80} /> : 'Private group'}</h1>
        <Text value={id} code max={100} />
      </header>
      {group === null ? (
        <Empty>This key is no member of such a group: nothing of it is shown.</Empty>
      ) : (
        <>
          <Card title="Members" side={group && <span class="tag">{kindOf(group.type)}</span>}>
            {!group && <Waiting lines={2} />}
            {group?.description && <Text value={group.description} max={400} />}
            <ul class="plain">
              {group?.members.map((member) => (
                <li key={member} class="pair">
                  <PublicKey of={member} /> {member === value?.publicKey && <span class="tag good">own key</span>}
                </li>
              ))}
            </ul>
          </Card>
          <Contracts id={id} logs={logs.value} />
          {logs.error && !logs.value ? (
            <Failed error={logs.error} what="The events of the group" />
          ) : (
            <PrivateLogs group={id} logs={logs.value} />
          )}
        </>
      )}
    </>
  )
}

function Contracts({ id, logs }: { id: string; logs: readonly Log[] | undefined }) {
  const [text, setText] = useState('')
  const found = [...new Set(logs?.map(({ address }) => address))]
  const isGood = isAddress(text, { strict: false })
  return (
    <Card title="Private contracts">
      {logs && found.length === 0 && (
        <Empty>No contract of the group has emitted an event in the last {formatCount(eventBlocks)} blocks.</Empty>
      )}
      <Facts>
        {found.map((address) => (
          <Fact key={address} name="Contract">
            <PrivateContractLink group={id} address={address} />
          </Fact>
        ))}
      </Facts>
      <form
        class="vote"
        onSubmit={(event) => {
          event.preventDefault()
          if (isGood) goTo(privateRoute(id, text as Hex).slice(1))
        }}
      >
        <label>
          Another contract
          <input
            class="mono"
            placeholder="0x…"
            spellcheck={false}
            value={text}
            aria-invalid={text !== '' && !isGood}
            onInput={(event) => setText(event.currentTarget.value.trim())}
          />
        </label>
        <button type="submit" class="button" disabled={!isGood}>
          Show
        </button>
      </form>
    </Card>
  )
}
