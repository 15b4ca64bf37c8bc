"""What of a graph can be drawn, and where: objects, their trees and matrices, and their places."""
