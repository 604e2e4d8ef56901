// The module's imports from TypeScript.

/** Fills an account entry whose address is set: the host's fields, marks and existence. */
@external("host", "account")
export declare function hostAccount(account: usize): void;

/** Writes the value of a slot, as a word. */
@external("host", "slot")
export declare function hostSlot(account: usize, key: usize, value: usize): void;

/** Returns a code entry (made by `newCode`) with the code of this hash. */
@external("host", "code")
export declare function hostCode(hash: usize): usize;

/** Writes the hash of a block, as a word. */
@external("host", "blockHash")
export declare function hostBlockHash(number: u64, value: usize): void;

/**
 * Runs a precompile. Its output becomes the return data (`returnBuffer`). Returns the gas left, or the negated halt
 * code.
 */
@external("host", "precompile")
export declare function hostPrecompile(address: usize, input: usize, length: usize, gas: i64): i64;

/** The machine has no memory left; does not return. */
@external("host", "exhausted")
export declare function hostExhausted(): void;

@external("host", "step")
export declare function hostStep(): void;

@external("host", "stepEnd")
export declare function hostStepEnd(): void;

@external("host", "enter")
export declare function hostEnter(): void;

@external("host", "exit")
export declare function hostExit(): void;
