import { discardValidatorVote } from '../shared/discardValidatorVote.ts'

export const ibft_discardValidatorVote = discardValidatorVote('ibft')
