import { type Enclave, EnclaveError, type PrivacyGroup } from './enclave.ts'

/** What a tenant may ask a manager that it shares with others: only about groups that its key is a member of. */
export type TenantEnclave = Pick<Enclave, 'createGroup' | 'deleteGroup' | 'findGroups' | 'retrieveGroup'>

const withoutSelf = 'The list of members in a privacy group should include self'

function refused(text: string): EnclaveError {
  return new EnclaveError({ code: 'ENCLAVE_REFUSED', status: 404, text })
}

/** The error of a group that a key is not a member of: the same as if the group did not exist. */
export function notMember(privacyGroupId: string): EnclaveError {
  return refused(`Privacy group Id[${privacyGroupId}] not found`)
}

export function createTenantEnclave(enclave: Enclave, publicKey: string): TenantEnclave {
  async function retrieveGroup(id: string): Promise<PrivacyGroup> {
    const group = await enclave.retrieveGroup(id)
    if (!group.members.includes(publicKey)) throw notMember(id)
    return group
  }

  return {
    retrieveGroup,
    async createGroup(group) {
      if (!group.addresses.includes(publicKey)) throw refused(withoutSelf)
      return enclave.createGroup({ ...group, from: publicKey })
    },
    async deleteGroup(id) {
      await retrieveGroup(id)
      return enclave.deleteGroup(id, publicKey)
    },
    async findGroups(addresses) {
      if (!addresses.includes(publicKey)) throw refused(withoutSelf)
      const found = await enclave.findGroups(addresses)
      return found.filter(({ members }) => members.includes(publicKey))
    },
  }
}
