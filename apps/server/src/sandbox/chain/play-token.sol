// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A token of the dev chain: 18 decimals, everything with whoever deploys it.
contract PlayToken is ERC20 {
    address public immutable getOwner = msg.sender;

    constructor(string memory name, string memory symbol) ERC20(name, symbol) {
        _mint(msg.sender, 1e9 * 1e18);
    }

    /// Several transfers in one transaction, as wallets that pay many people make them.
    function transferMany(address[] calldata to, uint256[] calldata amounts) external {
        for (uint256 i = 0; i < to.length; i++) _transfer(msg.sender, to[i], amounts[i]);
    }
}
