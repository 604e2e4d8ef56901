import { useState } from 'preact/hooks'
import { type Group, kindOf, loadGroups } from '../../data/groups.ts'
import { useHead } from '../../data/head.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import { Empty, Failed, Waiting } from '../../parts/Notes.tsx'
import { GroupLink, PublicKey } from '../../parts/PrivateLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { Text } from '../../parts/Text.tsx'

/** The groups of this node's key, or of the user's, where PRIV is served to this user. */
export function GroupsPage() {
  const { ask, node } = useSite()
  const { number } = useHead()
  const { value, error } = useLoad(`groups ${node.path}`, () => loadGroups(ask), number)
  return (
    <>
      <h1>Private groups</h1>
      {error && !value ? (
        <Failed error={error} what="The list of groups" />
      ) : (
        <>
          <Card title="Own key">
            <Facts>
              <Fact name="Public key">{value ? <PublicKey of={value.publicKey} /> : <Waiting />}</Fact>
            </Facts>
            <p class="soft">
              Others name this key in privateFor, or as a member of a group, to share transactions with it.
            </p>
          </Card>
          <Card title="Groups of this key" side={<span class="soft number">{value?.groups.length ?? ''}</span>}>
            {value?.groups.length === 0 ? (
              <Empty>This key is a member of no group.</Empty>
            ) : (
              <GroupTable label="Groups of this key" groups={value?.groups} />
            )}
          </Card>
        </>
      )}
      <Finder />
    </>
  )
}

function GroupTable({ label, groups }: { label: string; groups: readonly Group[] | undefined }) {
  const columns = [{ title: 'Group' }, { title: 'Type' }, { title: 'Members', numeric: true }, { title: 'Description' }]
  const rows = groups?.map(({ privacyGroupId, name, type, members, description }) => ({
    key: privacyGroupId,
    cells: [
      <GroupLink key="id" id={privacyGroupId} name={name} />,
      <span key="type" class="tag">
        {kindOf(type)}
      </span>,
      String(members.length),
      <Text key="description" value={description} max={120} />,
    ],
  }))
  return <Table label={label} columns={columns} rows={rows} expected={2} />
}

/** Groups of exactly these members, which may be others than one's own. */
function Finder() {
  const { ask, node } = useSite()
  const [text, setText] = useState('')
  const members = text.split(/[\s,]+/).filter(Boolean)
  const load = async () => (members.length === 0 ? [] : ask<readonly Group[]>('priv_findPrivacyGroup', [members]))
  const { value, error } = useLoad(`find ${node.path} ${members.join()}`, load)
  return (
    <Card title="Find groups by members">
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
      {members.length > 0 &&
        (error ? (
          <Failed error={error} what="The groups" />
        ) : value?.length === 0 ? (
          <Empty>No group has exactly these members.</Empty>
        ) : (
          <GroupTable label="Groups of these members" groups={value} />
        ))}
    </Card>
  )
}
