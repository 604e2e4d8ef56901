import { getPendingVotes } from '../../validators/getPendingVotes.ts'

export const ibft_getPendingVotes = getPendingVotes('ibft')
