import { useState } from 'preact/hooks'
import { useSite } from '../data/session.ts'
import { useLoad } from '../data/useLoad.ts'
import { Card } from '../parts/Card.tsx'
import { Empty, Failed } from '../parts/Notes.tsx'
import { Table } from '../parts/Table.tsx'
import { Text } from '../parts/Text.tsx'

interface Group {
  readonly privacyGroupId: string
  readonly name: string
  readonly description: string
  readonly type: string
  readonly members: readonly string[]
}

/** Privacy groups by their members, where PRIV is served to this user. */
export function GroupsPage() {
  const { ask, node } = useSite()
  const [text, setText] = useState('')
  const members = text.split(/[\s,]+/).filter(Boolean)
  const load = async () => (members.length === 0 ? [] : ask<readonly Group[]>('priv_findPrivacyGroup', [members]))
  const { value, error } = useLoad(`groups ${node.path} ${members.join()}`, load)
  const rows = value?.map((group) => ({
    key: group.privacyGroupId,
    cells: [
      <Text key="name" value={group.name || '(no name)'} max={80} />,
      <Text key="description" value={group.description} max={200} />,
      <span key="type" class="tag">
        {group.type.toLowerCase()}
      </span>,
      <Text key="id" value={group.privacyGroupId} code max={100} />,
      String(group.members.length),
    ],
  }))
  const columns = [
    { title: 'Name' },
    { title: 'Description', minor: true },
    { title: 'Type' },
    { title: 'Group id' },
    { title: 'Members', numeric: true },
  ]
  return (
    <>
      <h1>Private groups</h1>
      <Card title="Groups of these members">
        <label class="field">
          Public keys of all members, one per line
          <textarea
            class="mono"
            rows={3}
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        {error ? (
          <Failed error={error} what="The groups" />
        ) : members.length === 0 ? (
          <Empty>The node finds groups by exactly their members: enter the keys to see them.</Empty>
        ) : rows?.length === 0 ? (
          <Empty>No group has exactly these members.</Empty>
        ) : (
          <Table label="Private groups" columns={columns} rows={rows} expected={2} />
        )}
      </Card>
    </>
  )
}
