// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Keeps a number up to 1000.
contract Counter {
    event Changed(address indexed who, uint256 value);

    uint256 public value;

    function set(uint256 next) external {
        require(next <= 1000, "too large");
        value = next;
        emit Changed(msg.sender, next);
    }
}
